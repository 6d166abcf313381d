"""The example project with raters at work, as the pictures of the documentation show it."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from tests.web.monitor.worked import Worked

from assize.web._queue import Assignment

EXAMPLES = Path(__file__).parents[3] / "examples"
QUESTIONS = [f"Q{number}" for number in range(9)]
RATERS = {"ann": 0.15, "bob": 0.25, "cem": 0.2, "eve": 0.7}
"""Who has rated, and how often each answers by chance."""


def write_project(folder: Path) -> None:
    """A copy of the examples in which four people have rated; the project is `folder / "web"`."""
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    made = Worked(folder / "web")
    task = made.project.task("satisfaction")
    assert task is not None
    made.task = task
    chance = random.Random(4)

    def answer(name: str, given: Assignment) -> dict[str, str]:
        fair = 3 if given.key.endswith("-1") else 1
        return {
            one: str(
                chance.randint(1, 4)
                if chance.random() < RATERS[name]
                else min(4, fair + chance.randint(0, 1))
            )
            for one in QUESTIONS
        }

    for name in RATERS:
        made.rate(name, answer, most=5 if name == "eve" else 7)
    made.store.close()

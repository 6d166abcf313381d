"""The recipe of the shipped evaluator: on simulated corpora, and on the real ones if present."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.evaluator import score
from assize.evaluator.default_card import card
from assize.evaluator.default_recipe import FILES, Corpora, Dimension, Table
from assize.evaluator.default_study import study, train
from assize.evaluator.features import names, widths
from assize.formats import read
from assize.judgment import Judgment, Question

D = 6
F = sum(widths(D).values())
QUALITY = names(D).index("similarity.answers_mean")
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def table(seed: int, n: int = 120) -> Table:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, F))
    ids = np.array([f"c{number}" for number in range(n)])
    return Table(rows, {"good": rows[:, QUALITY]}, None, np.full(n, ""), ids)


@pytest.fixture
def corpora() -> Corpora:
    conversations = {"reliable-eval": table(1), "other": table(2)}
    worse = table(3, 40)
    worse.rows[:, QUALITY] -= 3
    return Corpora(conversations, conversations, {}, worse)


def dimension(name: str) -> Dimension:
    asked = Question(name, kind="number", extra={"levels": [0.25, 0.75]})
    return Dimension(asked, {"reliable-eval": {"good": 1.0}, "other": {"good": 1.0}})


def test_the_card_holds_what_was_measured(
    corpora: Corpora, letters: Any, tmp_path: Path, talk: Any
) -> None:
    asked = [dimension("overall"), dimension("second")]
    found = study(corpora, tmp_path, letters, dimensions=asked)
    assert found.unseen == ()
    evaluator = train(corpora, letters, asked)
    text = card(evaluator, found)
    measured = found.dimensions[0].held_out[0].measure()
    assert f"{measured.estimate:.2f} [{measured.interval[0]:.2f}" in text
    assert f"Signature `{evaluator.signature}`" in text
    assert "| reliable-eval | 120 |" in text
    assert found.known_bad["overall"].estimate > 0.9
    rows = list(score([talk("c", "u: abc", "a: abd")], evaluator=evaluator))
    assert [row.question for row in rows] == ["overall", "second"]


def test_training_twice_gives_one_signature(corpora: Corpora, letters: Any) -> None:
    first, second = (train(corpora, letters, [dimension("overall")]) for _ in range(2))
    assert first.signature == second.signature


@pytest.mark.parametrize("name", FILES)
def test_the_published_files_read_as_the_recipe_expects(name: str) -> None:
    path = DATA / FILES[name]
    if not path.exists():
        pytest.skip(f"{path} is not here: the corpora are no part of the project")
    kinds = {"person": 0, "items": 0}
    for record in read(path):
        if isinstance(record, Judgment):
            kinds["person"] += record.kind == "person"
        else:
            kinds["items"] += 1
    assert kinds["items"] > 100
    assert name == "hh-harmless" or kinds["person"] > kinds["items"]

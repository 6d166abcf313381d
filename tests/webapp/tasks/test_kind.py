from __future__ import annotations

from pathlib import Path

from tests.webapp.tasks.making import ANNA, TALK, first, make_task

from assize.webapp.tasks.dimensions import Dimensions
from assize.webapp.tasks.kind import Kind


def test_a_kind_says_only_what_is_its_own(tmp_path: Path) -> None:
    task = make_task(tmp_path, "dimensions", [TALK])
    kind: Kind = Dimensions()
    assert not kind.paired
    assert kind.examples(task) == ()
    assert kind.made(task, first(task), {}, ANNA) == ()

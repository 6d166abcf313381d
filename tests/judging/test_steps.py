"""Steps in the journal: found again by what they were made from."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from assize.errors import DataError
from assize.judging.calls import Asked
from assize.judging.steps import STEPS, Step, Steps, hash_of, read_step, steps_codec
from assize.judgment import Unscored, Usage
from assize.running import Journal

DONE = Asked({"patterns": []}, None, Usage(10, 2, 0.5), 1)
FAILED = Asked(None, Unscored("timeout", "too slow"), Usage(10, 0, None), 1)
UNREAD = Asked(None, Unscored("parse", "?"), Usage(), 6, "What?")


def take(folder: Path, *asked: tuple[str, Asked], retry: bool = False) -> tuple[Steps, list[str]]:
    """A session that takes these steps; those that it had to ask for."""
    called: list[str] = []
    steps = Steps()

    async def go() -> None:
        with Journal(
            folder, steps_codec(retry=retry), command={}, about={}, on_stored=steps.add_stored
        ) as journal:
            steps.journal = journal
            for of, one in asked:

                async def ask(of: str = of, one: Asked = one) -> Asked:
                    called.append(of)
                    return one

                await steps.take("extract", of, ["given"], ask)
            await journal.flush()

    asyncio.run(go())
    return steps, called


def test_a_step_is_its_line() -> None:
    step = Step("extract", "c1", "h", {"a": 1}, None, Usage(1, 2, 0.1, True), 2, None, "now")
    assert read_step(json.loads(json.dumps(step.line()))) == step
    step = Step("extract", "c1", "h", None, Unscored("parse", "?"), raw="What?")
    assert read_step(step.line()) == step


def test_what_is_stored_is_not_asked_again(tmp_path: Path) -> None:
    assert take(tmp_path / "run", ("c1", DONE))[1] == ["c1"]
    steps, called = take(tmp_path / "run", ("c1", DONE), ("c2", DONE))
    assert called == ["c2"]
    assert [step.usage for step in steps.known.values()] == [Usage(10, 2, 0.5)] * 2
    assert (tmp_path / "run" / STEPS).read_text().count("\n") == 2


def test_what_failed_for_now_is_asked_again_and_what_was_not_readable_on_request(
    tmp_path: Path,
) -> None:
    given = ("late", FAILED), ("odd", UNREAD)
    steps, _ = take(tmp_path / "run", *given)
    assert steps.unscored("extract") == {"timeout": 1, "parse": 1}
    assert [one.again for one in steps.used.values()] == [True, False]
    assert take(tmp_path / "run", *given)[1] == ["late"]
    assert take(tmp_path / "run", *given, retry=True)[1] == ["late", "odd"]


def test_a_line_that_is_no_step_is_an_error_with_its_place(tmp_path: Path) -> None:
    take(tmp_path / "run", ("c1", DONE))
    place = tmp_path / "run" / STEPS
    place.write_text('{"stage": "extract", "of": "c0", "given": "x"}\n' + place.read_text())
    with pytest.raises(DataError, match=r"steps\.jsonl:1: no record"):
        take(tmp_path / "run", ("c1", DONE))


def test_another_input_is_another_step() -> None:
    first = Step("summarise", "sat/1", hash_of(["a"]))
    assert first.key != Step("summarise", "sat/1", hash_of(["b"])).key
    assert first.key != Step("update", "sat/1", hash_of(["a"])).key

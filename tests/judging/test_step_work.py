"""Work of steps: stages follow each other, inputs of a stage go side by side, none asked twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from run_work import run_work

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Usage
from assize.formats import read
from assize.judging.asking import session_of
from assize.judging.prompt_judge import Asked
from assize.judging.session import RunFacts, Session
from assize.judging.step_work import StepWork, forget_folder, plan_steps, write_records
from assize.judging.steps import Steps
from assize.models import Models
from assize.results import Result


@dataclass(frozen=True)
class Doubles(Result):
    values: tuple[int, ...]
    calls: int
    out: Path | None = None


@dataclass
class Doubling(StepWork[int, Doubles]):
    """Doubles numbers, then their sum, which is known once they are doubled."""

    session: Session
    numbers: Sequence[int]
    asked: list[int]

    def open(self, models: Models, steps: Steps, *, dry: bool) -> None:
        self.steps, self.dry, self.total_of = steps, dry, 0

    def settings(self) -> Mapping[str, Any]:
        return {"double": 2}

    def stages(self) -> Iterator[Sequence[int]]:
        yield self.numbers
        yield [self.total_of]

    async def make(self, number: int) -> int:
        async def ask() -> Asked:
            self.asked.append(number)
            await asyncio.sleep(0.001 * (10 - number % 10))  # the later ones answer first
            return Asked({"value": 2 * number}, usage=Usage(1, 1), attempts=1)

        step = await self.steps.take("double", str(number), number, ask)
        assert step.answer is not None
        self.total_of += step.answer["value"]
        return int(step.answer["value"])

    async def result(self, made: Sequence[int], run: RunFacts) -> Doubles:
        return Doubles(tuple(made), run.spent.calls, self.session.out)


def doubling(folder: Path, *numbers: int) -> Doubling:
    return Doubling(session_of([], [], folder), numbers, [])


def test_stages_follow_each_other_and_results_keep_the_order_of_inputs(tmp_path: Path) -> None:
    work = doubling(tmp_path / "run", 1, 2, 3)
    result = run_work(work)
    assert result.values == (2, 4, 6, 24)
    assert work.asked[-1] == 12
    again = doubling(tmp_path / "run", 1, 2, 3)
    assert (run_work(again).values, again.asked) == ((2, 4, 6, 24), [])
    assert run_work(again).calls == 4  # of both sessions


def test_the_folder_of_other_settings_is_refused(tmp_path: Path) -> None:
    run_work(doubling(tmp_path / "run", 1))

    class Tripling(Doubling):
        def settings(self) -> Mapping[str, Any]:
            return {"double": 3}

    with pytest.raises(ConfigError, match="double was 2 and is 3"):
        run_work(Tripling(session_of([], [], tmp_path / "run"), (1,), []))


def test_what_the_folder_holds_is_not_made_again_in_an_estimate(tmp_path: Path) -> None:
    run_work(doubling(tmp_path / "run", 1, 2))
    work = doubling(tmp_path / "run", 1, 2, 3)
    estimate = asyncio.run(work.estimate())
    assert (estimate.at_most, estimate.assumed) == (None, None)
    assert work.asked == [3, 12]
    assert work.dry
    with pytest.raises(ConfigError, match="no first prompt"):
        asyncio.run(work.first_prompt(None))


def test_a_defect_ends_the_run_and_what_was_made_is_kept(tmp_path: Path) -> None:
    class Failing(Doubling):
        async def make(self, number: int) -> int:
            if number == 3:
                raise DataError("three")
            return await super().make(number)

    with pytest.raises(DataError, match="three"):
        run_work(Failing(session_of([], [], tmp_path / "run"), (1, 2, 3), []))
    again = doubling(tmp_path / "run", 1, 2, 3)
    run_work(again)
    assert set(again.asked) <= {3, 12}


def test_in_memory_a_result_names_no_folder(tmp_path: Path) -> None:
    def plan(out: Path | None) -> Doubles:
        return plan_steps(lambda folder, dry: doubling(folder, 1), out, quiet=True).run()

    assert plan(tmp_path / "run").out == tmp_path / "run"
    assert plan(None).out is None
    assert forget_folder(Doubles((1,), 1, tmp_path)).out is None


def test_a_stopped_run_is_not_finished() -> None:
    assert RunFacts().finished
    for run in (RunFacts(interrupted=True), RunFacts(waiting=2)):
        assert not run.finished


def test_items_are_written_and_counted(tmp_path: Path) -> None:
    chats = [Conversation("c", (Turn("user", "Hi"),))]
    assert write_records(tmp_path / "chats.jsonl", chats) == {str(tmp_path / "chats.jsonl"): 1}
    assert list(read(tmp_path / "chats.jsonl")) == chats

"""Work of steps: calls that are no judgments, each kept in the run's journal and never paid twice.

A method says which inputs there are, what is made of one, and what the result is; that its models
are opened, its journal resumed and its money settled is written here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import (
    AsyncIterator,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.formats import to_json
from assize.formats.writing import json_line
from assize.judging.outcome import Estimates, ShownPrompt
from assize.judging.plan import Bar, Plan, itself, path_of
from assize.judging.session import RunFacts, Session, open_run
from assize.judging.steps import Step, Steps, step_records, stored_steps
from assize.models import Models
from assize.results import Result
from assize.results.log import log
from assize.running.durable import replace as replace_file

T = TypeVar("T")
R = TypeVar("R", bound=Result)


class StepWork(ABC, Generic[T, R]):
    """A method that asks models: its inputs are read, its settings are checked.

    Args:
        session: folder and settings of the run.
    """

    label = "asking"
    session: Session

    @abstractmethod
    def open(self, models: Models, steps: Steps, *, dry: bool) -> None:
        """Open the models that will be asked; `dry` where answers are made up."""

    @abstractmethod
    def settings(self) -> Mapping[str, Any]:
        """Return everything but the input that could change the result."""

    def prompts(self) -> Mapping[str, str]:
        """Return version and hash of each prompt, for `run.json`."""
        return {}

    @abstractmethod
    def stages(self) -> Iterator[Iterable[Any]]:
        """Yield the inputs, those of a stage together; a stage begins when the one before ends.

        The inputs of a stage are worked on side by side.
        """

    @abstractmethod
    async def make(self, item: Any) -> T:
        """Return what is made of one input."""

    @abstractmethod
    async def result(self, made: Sequence[T], run: RunFacts) -> R:
        """Return the result, also of a stopped run; write it where the run is finished.

        The journal is still open.

        Args:
            made: of each input that was worked on to its end, in the order of the inputs.
        """

    def at_most(self) -> str | None:
        """Say in what case an estimate is reached; None where it is no upper bound."""
        return None

    def assumed(self) -> str | None:
        """Say what an estimate assumes, if it must."""
        return None

    def counts(self, step: Step) -> int:
        """By how much a step moves the progress bar."""
        return 1

    def total(self) -> int | None:
        """At what the progress bar ends, where it is known."""
        return None

    async def run(self, bar: Bar) -> R:
        """Ask what the folder does not hold yet, and return the result."""
        made: list[T | None] = []
        async with Models(self.session.models, note=log.info) as models:
            with bar(self.label, self.total()) as advance:
                steps = Steps(lambda step: advance(self.counts(step)))
                self.open(models, steps, dry=False)
                retry = self.session.run.retry
                records = step_records(steps, self.settings(), self.prompts(), retry=retry)
                async with open_run(self.session, models, records, note=log.info) as opened:
                    steps.opened = opened

                    async def make(slot: tuple[int, Any]) -> list[Step]:
                        """Make one input's part, whose steps are kept as they are asked."""
                        index, item = slot
                        made[index] = await self.make(item)
                        return []

                    at_once = 8 + 2 * self.session.run.concurrency
                    for inputs in self.stages():
                        await opened.run.do(_placed(made, inputs), make, at_once=at_once)
                        if opened.run.stopping:
                            break
                    facts = await opened.settle(steps.spent)
                    return await self.result([part for part in made if part is not None], facts)

    async def estimate(self) -> Estimates:
        """Return calls, tokens and cost by model; made-up answers stand in for real ones."""
        async with self.opened_dry() as models:
            for inputs in self.stages():
                for item in inputs:
                    await self.make(item)
            counted = {name: model.estimate for name, model in models.estimates.items()}
            return Estimates(counted, self.at_most(), assumed=self.assumed())

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Refuse: what is asked first depends on answers.

        Raises:
            ConfigError: always, unless a method can say.
        """
        raise ConfigError("there is no first prompt to show here")

    @asynccontextmanager
    async def opened_dry(self) -> AsyncIterator[Models]:
        """Open the work for an estimate: models make up answers, and the journal is only read."""
        settings = replace(self.session.models, dry=True)
        async with Models(settings, note=lambda _: None) as models:
            self.open(models, Steps(known=stored_steps(self.session)), dry=True)
            yield models


def _placed(made: list[T | None], inputs: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Each input with its place among what is made, which it has before it begins."""
    for item in inputs:
        made.append(None)
        yield len(made) - 1, item


def plan_steps(
    prepare: Callable[[Path, bool], StepWork[Any, R]], out: str | Path | None, quiet: bool
) -> Plan[R]:
    """Return the plan of a method; without `out` its result names no folder and no files."""
    return Plan(prepare, path_of(out), quiet, forget_folder if out is None else itself)


def forget_folder(result: R) -> R:
    """Return a result of a folder that is gone."""
    record = cast(Any, result)
    known = {part.name for part in fields(record)}
    gone: dict[str, Any] = {"out": None, "outputs": {}}
    return cast(R, replace(record, **{name: gone[name] for name in known & gone.keys()}))


def write_records(place: Path, records: Sequence[Item | Judgment]) -> dict[str, int]:
    """Write items or judgments, a line each, and return the file with how many it holds."""
    replace_file(place, (json_line(to_json(record)) for record in records))
    return {str(place): len(records)}

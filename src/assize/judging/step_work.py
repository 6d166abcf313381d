"""Work of steps: calls that are no judgments, each kept in the run's journal and never paid twice.

A method says which inputs there are, what is made of one, and what the result is; that its models
are opened, its journal resumed and its money settled is written here, once.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import (
    AsyncIterator,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from assize.conversation import Item
from assize.errors import ConfigError
from assize.formats import to_json
from assize.formats.writing import json_line
from assize.judging.outcome import Estimates, ShownPrompt
from assize.judging.plan import Bar, Plan, itself, path_of
from assize.judging.session import Session
from assize.judging.stepping import Task, spent_on, stepping, stored_steps
from assize.judging.steps import Step, Steps
from assize.judging.usage_total import UsageTotal
from assize.judgment import Judgment
from assize.models import Models
from assize.results import Result
from assize.running.durable import replace as replace_file

log = logging.getLogger("assize")

T = TypeVar("T")
R = TypeVar("R", bound=Result)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """How a run went.

    Args:
        spent: calls, tokens and cost, earlier sessions included.
        interrupted: it was stopped early; the same call continues it.
        waiting: answers that wait for a batch.
    """

    spent: UsageTotal = field(default_factory=UsageTotal)
    interrupted: bool = False
    waiting: int = 0

    @property
    def finished(self) -> bool:
        """Whether everything has been asked and answered."""
        return not self.interrupted and not self.waiting


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
                async with stepping(
                    self.session,
                    steps,
                    models,
                    command={**self.session.command(), **self.settings()},
                    prompts=self.prompts(),
                    note=log.info,
                ) as opened:

                    async def make(index: int, item: Any) -> None:
                        made[index] = await self.make(item)

                    for inputs in self.stages():
                        await opened.do(_tasks(make, made, inputs))
                        if opened.run.stopping:
                            break
                    await opened.settle()
                    spent = spent_on(steps, models.budget.spent)
                    facts = RunFacts(spent, opened.run.interrupted, opened.waiting)
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


def _tasks(
    make: Callable[[int, Any], Coroutine[Any, Any, None]], made: list[Any], inputs: Iterable[Any]
) -> Iterator[Task]:
    """A task an input, which has its place among what is made before it begins."""
    for item in inputs:
        made.append(None)
        yield partial(make, len(made) - 1, item)


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

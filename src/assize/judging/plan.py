"""A plan: what a function that asks models would do, before it does it.

    plan = assize.judge.plan("pairs.jsonl", "io@openai:gpt-4o", out="run/")
    plan.estimate()          # calls, tokens and cost; asks nothing
    plan.run()               # what the call itself does
    await plan.run_async()   # the same, in code that must not wait

To add a function that asks models, write its `Work` (most are a `run.JudgeWork` or a
`step_work.StepWork`), return its `Plan`, and decorate the function with `asks_models`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

from assize.base.errors import Interrupted, Stopped
from assize.judging.asking import folder_for
from assize.judging.outcome import Estimates, ShownPrompt
from assize.results import Result
from assize.results.log import log
from assize.running import run_sync
from assize.running.control import stop_was_asked
from assize.running.progress import Advance, progress

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

NOWHERE = Path("-")
"""The folder of a plan that is only estimated."""

Bar = Callable[[str, int | None], AbstractContextManager[Advance]]
"""Opens a progress bar with a label, and the number of steps where it is known."""


class Work(Protocol[R_co]):
    """A run that is ready to start: its input is read, and its settings are checked."""

    async def run(self, bar: Bar) -> R_co:
        """Ask what the folder does not hold yet; return the result, also of a stopped run."""
        ...

    async def estimate(self) -> Estimates:
        """Return calls, tokens and cost beyond what folder and cache hold; ask nothing."""
        ...

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Return the messages that would be sent first; of a question, where there are several."""
        ...


def itself(result: Any) -> Any:
    """Return what the work made, as it is."""
    return result


@dataclass(frozen=True, slots=True)
class Plan(Generic[R]):
    """What one call of a function would do.

    Args:
        prepare: reads the input of a run in a folder; told whether the run is only estimated, so
            that nothing is written.
        out: folder of the run; None runs in a folder that is gone afterwards.
        quiet: whether to show no progress.
        give: makes what the function returns of the work's result.
        show: makes what the command shows of it.
    """

    prepare: Callable[[Path, bool], Work[Result]]
    out: Path | None = None
    quiet: bool = False
    give: Callable[[Any], R] = itself
    show: Callable[[Any], Result] = itself

    def run(self) -> R:
        """Do what the call itself does, also where an event loop runs.

        Raises:
            Interrupted: it was stopped; `partial` is what there is, and the same call continues.
        """
        return run_sync(self.run_async)

    async def run_async(self) -> R:
        """`run`, to be awaited; signals are left alone, and cancelling the task ends it.

        Raises:
            Stopped: it gave up, for nothing succeeded any more; otherwise as `run`.
        """
        with folder_for(self.out) as folder:
            result = await self._run(folder)
            for reason in result.unfinished:
                log.warning(reason)
            returned = self.give(result)
        if result.interrupted:
            raise Interrupted(returned) if stop_was_asked() else Stopped(returned)
        return returned

    def outcome(self) -> Any:
        """Run, and return the `Result` that the command shows; it says whether it was interrupted.

        Raises:
            Stopped: it gave up, for nothing succeeded any more; `partial` is that `Result`.
        """

        async def run() -> Any:
            with folder_for(self.out) as folder:
                result = self.show(await self._run(folder))
            if result.interrupted and not stop_was_asked():
                raise Stopped(result)
            return result

        return run_sync(run)

    def estimate(self) -> Estimates:
        """Return calls, tokens and cost beyond what folder and cache hold; ask nothing."""
        work = self._prepare_dry()
        return run_sync(work.estimate)

    def first_prompt(self, question: str | None = None) -> ShownPrompt:
        """Return the messages that would be sent first; ask nothing.

        Args:
            question: of a judge that asks its questions one by one; its main one when None.
        """
        work = self._prepare_dry()
        return run_sync(lambda: work.first_prompt(question))

    async def _run(self, folder: Path) -> Result:
        return await self.prepare(folder, False).run(partial(progress, quiet=self.quiet))

    def _prepare_dry(self) -> Work[Result]:
        return self.prepare(NOWHERE if self.out is None else self.out, True)


class Verb(Protocol[P, R]):
    """A function that asks models: call it, or take its plan."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask, and return the result."""
        ...

    def plan(self, *args: P.args, **kwargs: P.kwargs) -> Plan[R]:
        """Return what a call with these arguments would do."""
        ...


def asks_models(make_plan: Callable[P, Plan[R]]) -> Verb[P, R]:
    """Turn a function that returns a plan into one that runs it; the plan stays at hand.

    The function keeps its name, its docstring and its parameters, and can be pickled.
    """

    @wraps(make_plan)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return make_plan(*args, **kwargs).run()

    signature = inspect.signature(make_plan)
    returned = re.sub(r"^Plan\[(.*)\]$", r"\1", str(signature.return_annotation))
    verb = cast(Any, run)
    verb.__signature__ = signature.replace(return_annotation=returned)
    verb.plan = make_plan
    return cast(Verb[P, R], verb)


def path_of(out: str | Path | None) -> Path | None:
    """Return the folder that a function is told."""
    return None if out is None else Path(out)

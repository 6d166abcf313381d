"""What has been asked so far: a line of the journal a call, found again by what it was made from.

A call that stands in the journal is never made again. Its key holds a hash of all that entered
the prompt, so a mini-batch that changes, because a conversation that had failed has been asked
again, is another step, and the old line is no longer read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from assize.base.judgment import Unscored, Usage
from assize.base.signature import json_hash
from assize.formats import to_json
from assize.formats.writing import json_line
from assize.judging.prompt_judge import Asked
from assize.judging.records import AGAIN, Row, RunRecords, again_rule
from assize.judging.session import OpenRun, Session, format_now
from assize.judging.usage_total import UsageTotal
from assize.running import Codec, key_of
from assize.running.journal import kept_in

WRITTEN = "written"  # the stage of what was written and cost nothing
STEPS = "steps.jsonl"


@dataclass(frozen=True, slots=True)
class Step:
    """One call and what came of it.

    Args:
        stage: which of a method's kinds of call.
        of: what it is about: a conversation, a batch, a group.
        given: hash of what it was made from.
        answer: as it was checked; None where there is none.
        unscored: why there is none.
        raw: the last reply where it was not readable.
        at: when, in UTC.
    """

    stage: str
    of: str
    given: str
    answer: Mapping[str, Any] | None = None
    unscored: Unscored | None = None
    usage: Usage = field(default_factory=Usage)
    attempts: int = 0
    raw: str | None = None
    at: str = ""

    @property
    def key(self) -> int:
        """What identifies it."""
        return key_of(self.stage, self.of, self.given)

    @property
    def failure(self) -> Unscored:
        """Why there is no answer; `unknown` where nobody said."""
        return Unscored("unknown") if self.unscored is None else self.unscored

    @property
    def again(self) -> bool:
        """Whether it failed for a reason that passes."""
        return self.unscored is not None and self.unscored.reason in AGAIN


_STEP = TypeAdapter(Step)


def read_step(line: Mapping[str, Any]) -> Step:
    """A step from its line; raises KeyError or ValueError for what is none."""
    return _STEP.validate_python({"attempts": line["attempts"], **line})


def steps_codec(*, retry: bool = False) -> Codec[Step]:
    """How steps stand in the journal; `retry` also asks again what was refused or not readable."""
    return Codec(
        STEPS,
        encode=lambda step: json_line({"attempts": step.attempts, **to_json(step)}),
        key=lambda line: read_step(line).key,
        again=again_rule(retry),
    )


@dataclass
class Steps:
    """The steps of a run, those of earlier sessions among them.

    Args:
        on_step: told of each that is asked now, once it is on disk.
        opened: the run that keeps them; None keeps nothing, as a dry run does.
        known: all steps, by key.
        used: those that this run rests on.
        spent: what all took, also those that it no longer rests on.
    """

    on_step: Callable[[Step], None] = lambda _: None
    opened: OpenRun[Step] | None = None
    known: dict[int, Step] = field(default_factory=dict)
    used: dict[int, Step] = field(default_factory=dict)
    spent: UsageTotal = field(default_factory=UsageTotal)

    def add_stored(self, lines: Sequence[Row]) -> None:
        """Takes in what the journal held."""
        self._add(read_step(lines[0]), stored=True)

    def _add(self, step: Step, *, stored: bool = False) -> None:
        self.known[step.key] = step
        if step.stage != WRITTEN:
            self.spent.add(step.usage, step.attempts, stored=stored)

    async def take(
        self, stage: str, of: str, given: Any, ask: Callable[[], Awaitable[Asked]]
    ) -> Step:
        """The step as it is stored, else as `ask` makes it."""
        found = self.known.get(key_of(stage, of, hash_of(given)))
        if found is None:
            asked = await ask()
            if self.opened is not None and (asked.unscored is None or asked.error is not None):
                self.opened.count(asked.error)
            found = await self.keep(stage, of, given, asked)
        self.used[found.key] = found
        return found

    async def keep(self, stage: str, of: str, given: Any, asked: Asked) -> Step:
        """Appends a step to the journal."""
        step = Step(
            stage,
            of,
            hash_of(given),
            asked.answer,
            asked.unscored,
            asked.usage,
            asked.attempts,
            asked.raw,
            format_now(),
        )
        self._add(step)
        if self.opened is not None:
            await self.opened.run.journal.append([step], lambda: self.on_step(step))
        return step

    def unscored(self, *stages: str) -> Counter[str]:
        """How many steps of the run have no answer, by reason."""
        return Counter(
            step.unscored.reason
            for step in self.used.values()
            if step.unscored is not None and step.stage in stages
        )


def hash_of(given: Any) -> str:
    """What identifies what a step was made from."""
    return json_hash(given, 16)


def step_records(
    steps: Steps,
    command: Mapping[str, Any],
    prompts: Mapping[str, str],
    *,
    retry: bool = False,
) -> RunRecords[Step]:
    """Return what a method's calls write; `steps` takes in what the folder holds.

    Args:
        command: what makes the run this run, beside its session's settings.
        prompts: version and hash of each prompt, for `run.json`.
    """
    about = {"prompts": dict(prompts)}
    return RunRecords(steps_codec(retry=retry), command, about, steps.add_stored)


def stored_steps(session: Session) -> dict[int, Step]:
    """The steps that a folder holds and a run would keep, nothing being opened."""
    steps = Steps()
    for record in kept_in(session.out, steps_codec(retry=session.run.retry)):
        steps.add_stored(record.lines)
    return steps.known

"""What has been asked so far: a line of the journal a call, found again by what it was made from.

A call that stands in the journal is never made again. Its key holds a hash of all that entered
the prompt, so a mini-batch that changes, because a conversation that had failed has been asked
again, is another step, and the old line is no longer read.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assize.formats.writing import json_line
from assize.judging.calls import Asked
from assize.judging.folder import AGAIN, RETRY
from assize.judgment import Unscored, Usage
from assize.running import Codec, Journal, key_of
from assize.signature import json_hash

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
    def again(self) -> bool:
        """Whether it failed for a reason that passes."""
        return self.unscored is not None and self.unscored.reason in AGAIN

    def line(self) -> dict[str, Any]:
        """As it stands in the journal."""
        said: dict[str, Any] = {"stage": self.stage, "of": self.of, "given": self.given}
        if self.answer is not None:
            said["answer"] = dict(self.answer)
        if self.unscored is not None:
            said["unscored"] = {
                "reason": self.unscored.reason,
                "message": self.unscored.message,
            }
        if self.raw is not None:
            said["raw"] = self.raw
        usage = self.usage
        said["usage"] = {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cost_usd": usage.cost_usd,
            "cached": usage.cached,
        }
        return said | {"attempts": self.attempts, "at": self.at}


def read_step(line: Mapping[str, Any]) -> Step:
    """A step from its line; raises KeyError or TypeError for what is none."""
    unscored = line.get("unscored")
    return Step(
        line["stage"],
        line["of"],
        line["given"],
        line.get("answer"),
        None if unscored is None else Unscored(unscored["reason"], unscored.get("message", "")),
        Usage(**line["usage"]),
        line["attempts"],
        line.get("raw"),
        line.get("at", ""),
    )


def steps_codec(*, retry: bool = False) -> Codec[Step]:
    """How steps stand in the journal; `retry` also asks again what was refused or not readable."""
    reasons = AGAIN | RETRY if retry else AGAIN
    return Codec(
        STEPS,
        encode=lambda step: json_line(step.line()),
        key=lambda line: read_step(line).key,
        again=lambda lines: (lines[0].get("unscored") or {}).get("reason") in reasons,
    )


@dataclass
class Steps:
    """The steps of a run, those of earlier sessions among them.

    Args:
        on_step: told of each that is asked now, once it is on disk.
        heard: told what came of a call, with its error where there was one.
    """

    on_step: Callable[[Step], None] = lambda _: None
    heard: Callable[[Asked], None] = lambda _: None
    journal: Journal[Step] | None = None  # None keeps nothing, as a dry run does
    known: dict[int, Step] = field(default_factory=dict)
    used: dict[int, Step] = field(default_factory=dict)  # those that this run rests on

    def add_stored(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Takes in what the journal held."""
        step = read_step(lines[0])
        self.known[step.key] = step

    async def take(
        self, stage: str, of: str, given: Any, ask: Callable[[], Awaitable[Asked]]
    ) -> Step:
        """The step as it is stored, else as `ask` makes it."""
        found = self.known.get(key_of(stage, of, hash_of(given)))
        if found is None:
            asked = await ask()
            self.heard(asked)
            found = await self.keep(stage, of, given, asked)
        self.used[found.key] = found
        return found

    async def keep(self, stage: str, of: str, given: Any, asked: Asked) -> Step:
        """Appends a step to the journal."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        step = Step(
            stage,
            of,
            hash_of(given),
            asked.answer,
            asked.unscored,
            asked.usage,
            asked.attempts,
            asked.raw,
            now,
        )
        self.known[step.key] = step
        if self.journal is not None:
            await self.journal.append([step], lambda: self.on_step(step))
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

"""Candidates for every place: each call a step of the run's journal, none paid for twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.conversation import Continuation
from assize.formats import to_json
from assize.formats.writing import json_line
from assize.judging.calls import Asker
from assize.judging.outcome import Estimates
from assize.judging.session import Session
from assize.judging.stepping import Note, spent_on, stepping, stored_steps
from assize.judging.steps import Step, Steps
from assize.judgment import Unscored
from assize.models import Model, Models
from assize.running import all_of
from assize.running.durable import replace as replace_file
from assize.signature import json_hash, sign
from assize.simulation.candidates.made import UNSCORED, SimulatedCandidates
from assize.simulation.candidates.random_turns import RANDOM, random_turns
from assize.simulation.candidates.writing import (
    PROMPT,
    REPHRASE,
    continued,
    rephrase_asker,
    rephrased,
)

FILE = "continuations.jsonl"
SIMULATED = "simulated"  # in the metadata: how a candidate was made, as dialogues have it


@dataclass(frozen=True, slots=True)
class Candidates:
    """Everything that one `assize simulate candidates` is told.

    Args:
        slots: places without candidates, one a held turn.
        models: that continue.
        rephrase: the model that says the reference in other words; None for none.
        random: whether a random turn from elsewhere is a candidate too.
        temperature: of the models that continue.
        passed: turns that were not held out, by reason.
        about: what else makes this run this run, such as where conversations were cut.
    """

    session: Session
    slots: Sequence[Continuation]
    models: tuple[str, ...]
    rephrase: str | None = None
    random: bool = True
    temperature: float = 0.0
    passed: Mapping[str, int] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)

    def settings(self, asker: Asker | None) -> dict[str, Any]:
        """Everything but the conversations that could change what is made."""
        return {
            "candidates": list(self.models),
            "rephrase": None if asker is None else [self.rephrase, asker.version(PROMPT)],
            "random": self.random,
            "candidate_temperature": self.temperature,
            "temperature": self.session.asked.temperature,
            **self.about,
        }


class _UnderWay:
    """A run's models, and what came of each place."""

    def __init__(self, given: Candidates, models: Models, steps: Steps) -> None:
        self.given, self.steps = given, steps
        self.models: dict[str, Model] = {name: models.open(name) for name in given.models}
        self.asker = None
        if given.rephrase is not None:
            self.asker = rephrase_asker(models.open(given.rephrase), given.session.asked)
        self.drawn: Sequence[Continuation | None] = []
        if given.random:
            self.drawn = random_turns(given.slots, given.session.run.seed)
        self.made: dict[str, list[Continuation]] = {}

    def doing(self, at: int) -> Callable[[], Any]:
        """All candidates of one place, side by side."""
        given, slot = self.given, self.given.slots[at]

        async def done() -> None:
            wanted = [
                continued(slot, model, self.steps, given.session.asked, given.temperature)
                for model in self.models.values()
            ]
            if self.asker is not None:
                wanted.append(rephrased(slot, self.asker, self.steps))
            steps = await all_of(wanted)
            names = [*self.models, *([] if self.asker is None else [REPHRASE])]
            found = [
                _filled(slot, name, one, self._how(name))
                for name, one in zip(names, steps, strict=True)
            ]
            if self.drawn:
                found.append(_random(slot, self.drawn[at], given.session.run.seed))
            self.made[slot.id] = found

        return done

    def _how(self, source: str) -> dict[str, Any]:
        """How a source's candidates are made."""
        asked = self.given.session.asked
        if source != REPHRASE or self.asker is None:
            return {"model": source, "temperature": self.given.temperature, "seed": asked.seed}
        prompts = {PROMPT: self.asker.version(PROMPT)}
        told = {"model": self.given.rephrase, "temperature": asked.temperature, "seed": asked.seed}
        return {**told, "prompts": prompts}

    def items(self) -> list[Continuation]:
        """All of them, in the order of the places."""
        return [one for slot in self.given.slots for one in self.made.get(slot.id, [])]


def _filled(slot: Continuation, source: str, step: Step, how: Mapping[str, Any]) -> Continuation:
    named = _named(slot, source, how)
    if step.answer is not None:
        return replace(named, candidate=step.answer["text"])
    lost = Unscored("unknown") if step.unscored is None else step.unscored
    return _lost(named, lost.reason, lost.message)


def _random(slot: Continuation, drawn: Continuation | None, seed: int) -> Continuation:
    if drawn is None:
        why = "no turn elsewhere differs from what was said here"
        return _lost(_named(slot, RANDOM, {"seed": seed}), "none", why)
    how = {"conversation": drawn.conversation, "turn": drawn.turn, "seed": seed}
    return replace(_named(slot, RANDOM, how), candidate=drawn.references[0])


def _named(slot: Continuation, source: str, how: Mapping[str, Any]) -> Continuation:
    """The slot as a source's, with how it was made; that of its context is kept within."""
    made = {"source": source, **how}
    if SIMULATED in slot.metadata:
        made["context"] = slot.metadata[SIMULATED]
    metadata = {**slot.metadata, SIMULATED: made}
    return replace(slot, id=f"{slot.id}/{source}", source=source, metadata=metadata)


def _lost(named: Continuation, reason: str | None, message: str | None) -> Continuation:
    why = {"reason": reason, "message": message}
    return replace(named, metadata={**named.metadata, UNSCORED: why})


async def build_async(
    given: Candidates,
    *,
    on_step: Callable[[Step], None] = lambda _: None,
    note: Note = lambda _: None,
) -> SimulatedCandidates:
    """Asks what the folder does not hold yet, and writes the continuations there.

    Raises:
        DataError: a random turn is wanted of a single conversation.
        ConfigError: the folder is another command's.
    """
    async with Models(given.session.models, note=note) as models:
        steps = Steps(on_step)
        under_way = _UnderWay(given, models, steps)
        settings = given.settings(under_way.asker)
        async with stepping(
            given.session,
            steps,
            models,
            command={**given.session.command(), "simulate": "candidates", **settings},
            prompts={PROMPT: str(settings["rephrase"])},
            note=note,
        ) as at:
            await at.do(under_way.doing(place) for place in range(len(given.slots)))
            finished = await at.settle()
            items, out = under_way.items(), given.session.out
            files = {}
            if finished:
                replace_file(out / FILE, (json_line(to_json(one)) for one in items))
                files = {str(out / FILE): len(items)}
            return SimulatedCandidates(
                items,
                len(given.slots),
                len({one.conversation for one in given.slots}),
                given.passed,
                spent=spent_on(steps, models.budget.spent),
                outputs=files,
                out=out,
                interrupted=at.run.interrupted,
                waiting=at.waiting,
                signature=sign(
                    "simulate-candidates", 1, settings, json_hash([to_json(one) for one in items])
                ),
            )


async def estimate(given: Candidates) -> Estimates:
    """Calls, tokens and cost by model beyond what folder and cache hold; asks nothing.

    Exact where every answer can be read at once: only a rephrasing is asked for again.
    """
    dry = replace(given.session.models, dry=True)
    async with Models(dry, note=lambda _: None) as models:
        steps = Steps(known=stored_steps(given.session))
        under_way = _UnderWay(given, models, steps)
        for place in range(len(given.slots)):
            await under_way.doing(place)()
        return Estimates({name: one.estimate for name, one in models.estimates.items()})

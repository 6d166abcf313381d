"""Candidates for every place: each call a step of the run's journal, none paid for twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.base.conversation import Continuation
from assize.base.judgment import Unscored
from assize.base.signature import json_hash, sign
from assize.formats import to_json
from assize.judging.calls import Asker
from assize.judging.session import RunFacts, Session
from assize.judging.step_work import StepWork, write_records
from assize.judging.steps import Step, Steps
from assize.models import Models
from assize.reference._continuations.next_turn import STAGE, continued
from assize.results.numbers import counted
from assize.running import all_of
from assize.simulate._candidate_turns.made import UNSCORED, SimulatedCandidates, sources_of
from assize.simulate._candidate_turns.random_turns import RANDOM, random_turns
from assize.simulate._candidate_turns.writing import (
    PROMPT,
    REPHRASE,
    rephrased,
)
from assize.simulate._coherence import simulate_asker
from assize.simulate._result import facts_of

FILE = "continuations.jsonl"
SIMULATED = "simulated"  # in the metadata: how a candidate was made, as dialogues have it


@dataclass
class CandidateWork(StepWork[list[Continuation], SimulatedCandidates]):
    """Makes a candidate of every source for every place.

    Args:
        slots: places without candidates, one a held turn.
        models: that continue.
        rephrase: the model that says the reference in other words; None for none.
        random: whether a random turn from elsewhere is a candidate too.
        temperature: of the models that continue.
        passed: turns that were not held out, by reason.
        about: what else makes this run this run, such as where conversations were cut.
        scrubbed: placeholders by kind; None where nothing was scrubbed.
        others: by slot, what other systems said there.
    """

    session: Session
    slots: Sequence[Continuation]
    models: tuple[str, ...]
    rephrase: str | None = None
    random: bool = True
    temperature: float = 0.0
    passed: Mapping[str, int] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    scrubbed: Mapping[str, int] | None = None
    others: Mapping[str, Sequence[Continuation]] = field(default_factory=dict)

    def open(self, models: Models, steps: Steps, *, dry: bool) -> None:
        """Open the models, and draw the random turns.

        Raises:
            DataError: a random turn is wanted of a single conversation.
        """
        seed, asked = self.session.run.seed, self.session.asked
        self.steps = steps
        self.writers = {name: models.open(name) for name in self.models}
        self.asker: Asker | None = None
        if self.rephrase is not None:
            self.asker = simulate_asker(models.open(self.rephrase), asked)
        self.drawn = random_turns(self.slots, seed) if self.random else []

    def settings(self) -> dict[str, Any]:
        """Return everything but the conversations that could change what is made."""
        asker = self.asker
        return {
            "candidates": list(self.models),
            "rephrase": None if asker is None else [self.rephrase, asker.version(PROMPT)],
            "random": self.random,
            "candidate_temperature": self.temperature,
            "temperature": self.session.asked.temperature,
            **self.about,
        }

    def prompts(self) -> dict[str, str]:
        """Return the rephrasing's version and hash."""
        return {} if self.asker is None else {PROMPT: self.asker.version(PROMPT)}

    def stages(self) -> Iterator[Sequence[int]]:
        """Yield all places, by number."""
        yield range(len(self.slots))

    async def make(self, place: int) -> list[Continuation]:
        """Return all candidates of one place, its sources asked side by side.

        Without any source it is the place itself, whose candidate is empty.
        """
        slot, asked = self.slots[place], self.session.asked
        calls = {
            name: continued(slot, model, self.steps, asked, self.temperature)
            for name, model in self.writers.items()
        }
        if self.asker is not None:
            calls[REPHRASE] = rephrased(slot, self.asker, self.steps)
        steps = await all_of(calls.values())
        candidates = [
            make_candidate(slot, name, self._how(name), step)
            for name, step in zip(calls, steps, strict=True)
        ]
        if self.drawn:
            candidates.append(self._random(slot, self.drawn[place]))
        return [*candidates, *self.others.get(slot.id, ())] or [slot]

    def _random(self, slot: Continuation, turn: Continuation | None) -> Continuation:
        how: dict[str, Any] = {"seed": self.session.run.seed}
        if turn is None:
            lost = Unscored("none", "no turn elsewhere differs from what was said here")
            return make_candidate(slot, RANDOM, how, Step(STAGE, slot.id, "", unscored=lost))
        how = {"conversation": turn.conversation, "turn": turn.turn, **how}
        answer = {"text": turn.references[0]}
        return make_candidate(slot, RANDOM, how, Step(STAGE, slot.id, "", answer))

    async def result(
        self, made: Sequence[list[Continuation]], run: RunFacts
    ) -> SimulatedCandidates:
        """Return the candidates in the order of the places; write them once all are there."""
        items, out = [item for candidates in made for item in candidates], self.session.out
        texts, sources = json_hash([to_json(item) for item in items]), sources_of(items)
        notes = [
            f"{counted(n, 'candidate')} of {source.source} missing: {why}"
            for source in sources
            for why, n in source.reasons.items()
        ]
        empty = len(items) - sum(source.candidates + source.missing for source in sources)
        if empty:
            left = counted(empty, "continuation")
            notes.append(f"{left} without a candidate, which every judge leaves unscored")
        return SimulatedCandidates(
            records=items,
            places=len(self.slots),
            conversations=len({slot.conversation for slot in self.slots}),
            n=len(items),
            unscored=sum(source.missing for source in sources),
            sources=sources,
            left_out=self.passed,
            notes=notes,
            scrubbed=self.scrubbed,
            outputs=write_records(out / FILE, items) if run.finished else {},
            signature=sign("simulate-candidates", 1, self.settings(), texts),
            **facts_of(run, out),
        )

    def _how(self, source: str) -> dict[str, Any]:
        """How a source's candidates are made."""
        asked = self.session.asked
        if source != REPHRASE or self.asker is None:
            return {"model": source, "temperature": self.temperature, "seed": asked.seed}
        settings = {"model": self.rephrase, "temperature": asked.temperature, "seed": asked.seed}
        return {**settings, "prompts": self.prompts()}


def make_candidate(
    slot: Continuation, source: str, how: Mapping[str, Any], step: Step
) -> Continuation:
    """The slot with a source's candidate; its metadata say how it was made, or why not."""
    made = {"source": source, **how}
    if SIMULATED in slot.metadata:  # the context was simulated too
        made["context"] = slot.metadata[SIMULATED]
    metadata = {**slot.metadata, SIMULATED: made}
    if step.answer is None:
        reason = step.failure
        metadata[UNSCORED] = {"reason": reason.reason, "message": reason.message}
    text = "" if step.answer is None else step.answer["text"]
    name = f"{slot.id}/{source}"
    return replace(slot, id=name, source=source, candidate=text, metadata=metadata)

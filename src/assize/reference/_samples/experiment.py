"""The experiment: two samples at each place, and whether a judge holds them to be equivalent.

Every call is a step of the run's journal, so that the same command goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Unscored
from assize.base.signature import sign
from assize.judging.calls import Asker
from assize.judging.judge import Judge, Task
from assize.judging.judge_step import judge_as_step
from assize.judging.session import RunFacts, Session
from assize.judging.step_work import StepWork, write_records
from assize.judging.steps import Steps, hash_of
from assize.judging.table import open_session_judges
from assize.models import Models
from assize.reference._continuations.context import place_of
from assize.reference._continuations.cut import HeldTurns, cut_turns
from assize.reference._continuations.next_turn import continued
from assize.reference._samples.questions import HOME, PROMPT, write_questions
from assize.reference._samples.result import (
    GROUPS,
    Group,
    Multiplicity,
    Trial,
    note_places,
    share_places,
)
from assize.running import all_of

CONTINUATIONS, JUDGMENTS = "continuations.jsonl", "judgments.jsonl"
QUESTION = "equivalent"  # that a judge must answer


@dataclass
class Experiment(StepWork[Trial | None, Multiplicity]):
    """Asks a model twice at each place, and a judge whether it said the same.

    Args:
        session: the judge, the folder, how models are asked.
        items: conversations and continuations.
        model: that is sampled, and writes questions where none are given.
        questions: open-ended ones; None where the model writes them.
        n: places of each kind, at most.
        temperature: of the samples.
    """

    session: Session
    items: Sequence[Item]
    model: str
    questions: tuple[str, ...] | None = None
    n: int = 100
    temperature: float = 1.0

    def open(self, models: Models, steps: Steps, *, dry: bool) -> None:
        """Open the model and the judge."""
        self.asker = Asker(models.open(self.model), self.session.asked, HOME, "multiplicity")
        self.judge = equivalence_judge(self.session, models)
        self.steps = steps
        self.written: tuple[str, ...] = self.questions or ()
        self.failed: Unscored | None = None  # why there are fewer questions than asked for

    def settings(self) -> dict[str, Any]:
        """Return everything but the conversations that could change a figure."""
        questions = self.questions
        return {
            "model": self.model,
            "judge": self.judge.name,
            "judged by": self.judge.signature,
            "questions": self.asker.version(PROMPT) if questions is None else hash_of(questions),
            "n": self.n,
            "temperature": self.temperature,
            "seed": self.session.run.seed,
        }

    def prompts(self) -> dict[str, str]:
        """Return the judge's version and hash."""
        return {"judge": str(getattr(self.judge, "prompt_version", self.judge.signature))}

    def stages(self) -> Iterator[Sequence[Continuation | None]]:
        """Yield None, for the questions to be written where none are given, and then the places."""
        if self.questions is None:
            yield [None]
        yield self.places()

    async def make(self, place: Continuation | None) -> Trial | None:
        """Return what came of a place; of None the questions are written."""
        asked = self.session.asked
        if place is None:
            self.written, written = await write_questions(self.asker, self.steps, self.n)
            self.failed = written[-1].unscored if written else None
            return None
        samples = await all_of(
            continued(place, self.asker.model, self.steps, asked, self.temperature, sample)
            for sample in (0, 1)
        )
        texts = []
        for step in samples:
            if step.answer is None:
                return self.lose(place, step.failure)
            texts.append(step.answer["text"])
        source = self.asker.model.name
        pair = replace(place, source=source, references=(texts[0],), candidate=texts[1])
        rows = await judge_as_step(self.judge, Task(pair), self.steps, "judge")
        return Trial(pair, next(row for row in rows if row.question == QUESTION))

    def lose(self, place: Continuation, why: Unscored) -> Trial:
        """Return a place without an answer."""
        return Trial(place, Judgment(place.id, self.judge.name, QUESTION, unscored=why))

    def places(self) -> list[Continuation]:
        """Return questions, first turns and random turns; each kind has its own generator."""
        seed = self.session.run.seed
        places = [
            place_at(GROUPS[0], f"{n}", (Turn("user", text),), f"question {n}", 1)
            for n, text in enumerate(self.written, start=1)
        ]
        for index, kind in enumerate(GROUPS[1:]):
            places += draw_turns(kind, self.items, self.n, np.random.default_rng([seed, index]))
        return places

    async def result(self, made: Sequence[Trial | None], run: RunFacts) -> Multiplicity:
        """Return the shares; places that were not reached have no answer."""
        known = {trial.place.id: trial for trial in made if trial is not None}
        late, out = Unscored("not_asked"), self.session.out
        trials = [known.get(place.id) or self.lose(place, late) for place in self.places()]
        outputs: dict[str, int] = {}
        if run.finished:  # for whatever reads continuations and judgments
            pairs = [trial for trial in trials if trial.place.candidate]
            outputs = write_records(out / CONTINUATIONS, [trial.place for trial in pairs])
            outputs |= write_records(out / JUDGMENTS, [trial.row for trial in pairs])
        shown = ("model", "judge", "temperature", "seed")
        return Multiplicity(
            share_places(trials),
            {name: self.settings()[name] for name in shown},
            trials,
            note_places(trials, self.n, self.failed),
            outputs,
            sign(self.settings()),
            run.spent,
            run.interrupted,
            run.waiting,
        )


def draw_turns(
    group: Group, items: Iterable[Item], n: int, rng: np.random.Generator
) -> list[Continuation]:
    """`n` assistant turns drawn at random, at most all: of all of them, or of the first ones.

    A conversation has a place before each of its assistant's turns, a continuation is one; the
    user speaks last there, and no tool. The paper does not say how turns were drawn.

    Args:
        group: `first turn` draws conversations, and takes the first turn of each.
    """
    places: dict[tuple[str, int], Continuation] = {}
    for item in items:
        slots = cut_turns([item], HeldTurns()).found if isinstance(item, Conversation) else [item]
        for slot in slots:
            if isinstance(slot, Continuation) and answers_user(slot):
                places.setdefault(place_of(slot), slot)
    ordered = sorted(places)  # whatever the order of the file
    if group == "first turn":
        first: dict[str, int] = {}
        for name, turn in ordered:
            first.setdefault(name, turn)
        ordered = list(first.items())
    chosen = [ordered[index] for index in rng.permutation(len(ordered))[:n]]
    return [
        place_at(group, f"{name}/{turn}", places[name, turn].context, name, turn)
        for name, turn in chosen
    ]


def answers_user(slot: Continuation) -> bool:
    """Whether the user speaks last before a turn, and no tool spoke."""
    roles = [turn.role for turn in slot.context]
    return "tool" not in roles and roles[-1:] == ["user"] and bool(slot.context[-1].text.strip())


def place_at(
    group: Group, id: str, context: tuple[Turn, ...], conversation: str, turn: int
) -> Continuation:
    """A place without a reference and a candidate, which its samples become."""
    return Continuation(
        f"{group}/{id}", context, "", (), conversation, turn, metadata={"set": group}
    )


def equivalence_judge(session: Session, models: Models) -> Judge:
    """The session's one judge; raises ConfigError where it does not answer `equivalent`."""
    (judge,) = open_session_judges(session, models)
    if Continuation not in judge.takes or QUESTION not in {one.id for one in judge.questions}:
        raise ConfigError(
            f"{judge.name} does not say whether two texts are equivalent; give"
            " equivalent@MODEL or equivalent-explained@MODEL"
        )
    return judge

"""The experiment: two samples at each place, and whether a judge holds them to be equivalent.

Every call is a step of the run's journal, so that the same command goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.base.conversation import Continuation, Item
from assize.base.errors import ConfigError
from assize.base.judgment import Unscored
from assize.base.signature import sign
from assize.judging.calls import Asker
from assize.judging.judge import Judge
from assize.judging.judge_work import open_session_judges
from assize.judging.session import RunFacts, Session
from assize.judging.step_work import StepWork, write_records
from assize.judging.steps import Steps, hash_of
from assize.models import Models
from assize.reference._samples.places import GROUPS, Place, draw_turns, questions_as_places
from assize.reference._samples.questions import HOME, PROMPT, write_questions
from assize.reference._samples.result import Multiplicity, Trial, share_places
from assize.reference._samples.sampling import QUESTION, Sampler

CONTINUATIONS, JUDGMENTS = "continuations.jsonl", "judgments.jsonl"


@dataclass
class Experiment(StepWork[Trial | None, Multiplicity]):
    """Asks a model twice at each place, and a judge whether it said the same.

    Args:
        session: the judge, the folder, how models are asked.
        items: conversations, or whatever else has contexts.
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
        asked, model = self.session.asked, models.open(self.model)
        self.asker = Asker(model, asked, HOME, "multiplicity")
        self.judge = equivalence_judge(self.session, models)
        self.sampler = Sampler(model, self.judge, steps, asked, self.temperature)
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

    def stages(self) -> Iterator[Sequence[Place | None]]:
        """Yield None, for the questions to be written where none are given, and then the places."""
        if self.questions is None:
            yield [None]
        yield self.places()

    async def make(self, place: Place | None) -> Trial | None:
        """Return what came of a place; of None the questions are written."""
        if place is not None:
            return await self.sampler.trial(place)
        self.written, steps = await write_questions(self.asker, self.sampler.steps, self.n)
        self.failed = steps[-1].unscored if steps else None
        return None

    def places(self) -> list[Place]:
        """Return questions, first turns and random turns; each kind has its own generator."""
        seed = self.session.run.seed
        drawn = [
            place
            for index, kind in enumerate(GROUPS[1:])
            for place in draw_turns(kind, self.items, self.n, np.random.default_rng([seed, index]))
        ]
        return [*questions_as_places(self.written), *drawn]

    async def result(self, made: Sequence[Trial | None], run: RunFacts) -> Multiplicity:
        """Return the shares; places that were not reached have no answer."""
        known = {trial.place.id: trial for trial in made if trial is not None}
        late = Unscored("not_asked")
        trials = [known.get(place.id, Trial(place, None, None, late)) for place in self.places()]
        if run.finished:
            self._write(trials)
        return Multiplicity(
            share_places(trials),
            self.model,
            self.judge.name,
            tuple(trials),
            self.n,
            self.session.run.seed,
            self.temperature,
            sign(self.settings()),
            run.spent,
            self.session.out,
            self.failed,
            run.interrupted,
            run.waiting,
        )

    def _write(self, trials: Sequence[Trial]) -> None:
        """Continuations and judgments beside the journal, for whatever reads those."""
        out = self.session.out
        write_records(
            out / CONTINUATIONS, [trial.pair for trial in trials if trial.pair is not None]
        )
        write_records(out / JUDGMENTS, [trial.row for trial in trials if trial.row is not None])


def equivalence_judge(session: Session, models: Models) -> Judge:
    """The session's one judge; raises ConfigError where it does not answer `equivalent`."""
    (judge,) = open_session_judges(session, models)
    if Continuation not in judge.takes or QUESTION not in {one.id for one in judge.questions}:
        raise ConfigError(
            f"{judge.name} does not say whether two texts are equivalent; give"
            " equivalent@MODEL or equivalent-explained@MODEL"
        )
    return judge

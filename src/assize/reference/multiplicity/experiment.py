"""The experiment: two samples at each place, and whether a judge holds them to be equivalent.

Every call is a step of the run's journal, so that the same command goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from assize.conversation import Continuation, Item
from assize.errors import ConfigError
from assize.formats import to_json
from assize.formats.writing import json_line
from assize.judging.calls import Asker
from assize.judging.judge import Judge
from assize.judging.outcome import Estimates
from assize.judging.session import Session, opened
from assize.judging.stepping import Note, spent_on, stepping, stored_steps
from assize.judging.steps import Step, Steps, hash_of
from assize.judgment import Unscored
from assize.models import Models
from assize.reference.multiplicity.places import (
    Place,
    first_turns,
    questions_as_places,
    random_turns,
)
from assize.reference.multiplicity.questions import HOME, PROMPT, write_questions
from assize.reference.multiplicity.result import Multiplicity, Trial, share_places
from assize.reference.multiplicity.sampling import QUESTION, Sampler
from assize.running.durable import replace as replace_file
from assize.signature import sign

CONTINUATIONS, JUDGMENTS = "continuations.jsonl", "judgments.jsonl"


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that one `assize reference multiplicity` is told.

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

    def settings(self, judge: Judge, asker: Asker) -> dict[str, Any]:
        """Everything but the conversations that could change a figure."""
        written = asker.version(PROMPT) if self.questions is None else hash_of(self.questions)
        return {
            "model": self.model,
            "judge": judge.name,
            "judged by": judge.signature,
            "questions": written,
            "n": self.n,
            "temperature": self.temperature,
            "seed": self.session.run.seed,
        }


class OpenExperiment:
    """An experiment under way: its questions, its places, what came of them."""

    def __init__(self, given: Experiment, models: Models, steps: Steps) -> None:
        asked, model = given.session.asked, models.open(given.model)
        self.given = given
        self.asker = Asker(model, asked, HOME, "multiplicity")
        self.judge = equivalence_judge(given.session, models)
        self.sampler = Sampler(model, self.judge, steps, asked, given.temperature)
        self.questions: tuple[str, ...] = given.questions or ()
        self.failed: Unscored | None = None  # why there are fewer questions than asked for

    async def question(self) -> None:
        """Has the questions written, where none are given."""
        if self.given.questions is None:
            found, taken = await write_questions(self.asker, self.sampler.steps, self.given.n)
            self.questions = found
            self.failed = taken[-1].unscored if taken else None

    @cached_property
    def _drawn(self) -> list[Place]:
        """First and random turns; each kind has a generator of its own."""
        seed, n = self.given.session.run.seed, self.given.n
        return [
            place
            for at, kind in enumerate((first_turns, random_turns))
            for place in kind(self.given.items, n, np.random.default_rng([seed, at]))
        ]

    def places(self) -> list[Place]:
        """All of them."""
        return [*questions_as_places(self.questions), *self._drawn]

    def found(self) -> list[Trial]:
        """What came of the places, in their order; those that were not reached have no answer."""
        known, late = self.sampler.trials, Unscored("not_asked")
        return [known.get(one.id, Trial(one, None, None, late)) for one in self.places()]


def equivalence_judge(session: Session, models: Models) -> Judge:
    """The session's one judge; raises ConfigError where it does not answer `equivalent`."""
    (judge,) = opened(session, models)
    if Continuation not in judge.takes or QUESTION not in {one.id for one in judge.questions}:
        raise ConfigError(
            f"{judge.name} does not say whether two texts are equivalent; give"
            " equivalent@MODEL or equivalent-explained@MODEL"
        )
    return judge


async def measure_async(
    given: Experiment,
    *,
    on_step: Callable[[Step], None] = lambda _: None,
    note: Note = lambda _: None,
) -> Multiplicity:
    """Asks what the folder does not hold yet, and writes continuations and judgments there."""
    async with Models(given.session.models, note=note) as models:
        steps = Steps(on_step)
        under_way = OpenExperiment(given, models, steps)
        settings = given.settings(under_way.judge, under_way.asker)
        prompts = {
            "judge": str(getattr(under_way.judge, "prompt_version", under_way.judge.signature))
        }
        async with stepping(
            given.session,
            steps,
            models,
            command={**given.session.command(), **settings},
            prompts=prompts,
            note=note,
        ) as at:
            await at.do([under_way.question], at_once=1)
            if not at.run.stopping:
                await at.do(under_way.sampler.trying(place) for place in under_way.places())
            finished = await at.settle()
            trials = under_way.found()
            if finished:
                _write(given, trials)
        return Multiplicity(
            share_places(trials),
            given.model,
            under_way.judge.name,
            tuple(trials),
            given.n,
            given.session.run.seed,
            given.temperature,
            sign(settings),
            spent_on(steps, models.budget.spent),
            given.session.out,
            under_way.failed,
            at.run.interrupted,
            at.waiting,
        )


def _write(given: Experiment, trials: Sequence[Trial]) -> None:
    """Continuations and judgments beside the journal, for whatever reads those."""
    pairs = [one.pair for one in trials if one.pair is not None]
    rows = [one.row for one in trials if one.row is not None]
    out = given.session.out
    replace_file(out / CONTINUATIONS, (json_line(to_json(one)) for one in pairs))
    replace_file(out / JUDGMENTS, (json_line(to_json(one)) for one in rows))


async def estimate(given: Experiment) -> Estimates:
    """Calls, tokens and cost by model beyond what folder and cache hold; asks nothing."""
    settings = replace(given.session.models, dry=True)
    async with Models(settings, note=lambda _: None) as models:
        under_way = OpenExperiment(given, models, Steps(known=stored_steps(given.session)))
        await under_way.question()
        for place in under_way.places():
            await under_way.sampler.trying(place)()
        return Estimates({name: model.estimate for name, model in models.estimates.items()})

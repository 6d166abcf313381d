"""Topics in, dialogues out: plans are made, models asked, and what came of each is kept.

Each dialogue goes its way alone, and every call is a step of the run's journal, so a run that is
stopped goes on where it was, and nothing is paid for twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.errors import DataError
from assize.formats import to_json
from assize.formats.writing import json_line
from assize.judging.calls import Asker
from assize.judging.prompting import load_prompt
from assize.judging.session import Session
from assize.judging.stepping import spent_on, stepping, stored_steps
from assize.judging.steps import Step, Steps
from assize.models import Models
from assize.models.estimating import Estimate
from assize.running.durable import replace as replace_file
from assize.signature import json_hash, sign
from assize.simulation.dialogues.asking import (
    ASSISTANT,
    HOME,
    PROMPTS,
    QUERY,
    QUESTION,
    STAGES,
    USER,
    WHOLE,
    Asking,
    dialogue_asker,
    seeded,
)
from assize.simulation.dialogues.estimates import longest_answer
from assize.simulation.dialogues.one_call import write_whole
from assize.simulation.dialogues.plan import Plan, Talk
from assize.simulation.dialogues.provenance import metadata
from assize.simulation.dialogues.simulated import SimulatedDialogues
from assize.simulation.dialogues.sources import Sources
from assize.simulation.dialogues.turn_by_turn import Sides, take_turns
from assize.simulation.topics_file import topic_json

DIALOGUES, FAILED = "dialogues.jsonl", "failed.jsonl"
USED = {False: (WHOLE,), True: (QUESTION, USER, ASSISTANT)}
Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Simulating:
    """Everything that one `assize simulate dialogues` is told.

    Args:
        session: the folder, how models are asked.
        plans: the dialogues that are wanted.
        assistant: the model that answers, and that writes whole dialogues.
        user: the model that plays the user turn by turn.
        most: exchanges of user and assistant, at most.
        temperature: of all that is written; None leaves it to the model.
    """

    session: Session
    plans: Sequence[Plan]
    assistant: str
    user: str
    sources: Sources = field(default_factory=Sources)
    most: int = 10
    temperature: float | None = 0.7

    @property
    def prompts(self) -> dict[str, str]:
        """Version and hash of each prompt that is used."""
        used = {name for plan in self.plans for name in USED[plan.recipe.turn_by_turn]}
        used |= {QUERY for plan in self.plans if plan.recipe.documents == "query"}
        folder = self.session.asked.prompts
        loaded = {name: load_prompt(name, folder, HOME) for name in PROMPTS if name in used}
        return {name: f"{one.version} {one.hash}" for name, one in loaded.items()}

    def how(self) -> dict[str, Any]:
        """What every dialogue's metadata say of the run."""
        return {
            "models": {"user": self.user, "assistant": self.assistant},
            "prompts": self.prompts,
            "temperature": self.temperature,
            "seed": self.session.run.seed,
            "most_exchanges": self.most,
            "retrieval": self.sources.described(),
        }

    def settings(self) -> dict[str, Any]:
        """Everything that could change what is made."""
        plans = [[one.id, topic_json(one.topic), one.persona] for one in self.plans]
        return {**self.how(), "plans": json_hash(plans, 16)}


class OpenSimulation:
    """A run under way: its models, and what came of each plan."""

    def __init__(
        self, given: Simulating, models: Models, steps: Steps, *, dry: bool = False
    ) -> None:
        settings = replace(given.session.asked, temperature=given.temperature)
        self.given, self.steps = given, steps
        self.assistant: Asker = dialogue_asker(models.open(given.assistant), settings)
        self.user = self.assistant
        if given.user != given.assistant and any(one.recipe.turn_by_turn for one in given.plans):
            self.user = dialogue_asker(models.open(given.user), settings)
        self.talks: dict[str, Talk] = {}
        self._dry = dry

    def doing(self, plan: Plan) -> Callable[[], Any]:
        """All that is asked for a dialogue, one thing after the other."""

        async def done() -> None:
            given, invented = self.given, list[str]()
            likely = longest_answer(plan.topic.text, given.most, invented) if self._dry else None
            sources = replace(given.sources, invented=invented)
            asking = Asking(plan, self.steps, given.most, likely)
            assistant = seeded(self.assistant, plan.seed)
            if plan.recipe.turn_by_turn:
                sides = Sides(seeded(self.user, plan.seed), assistant)
                self.talks[plan.id] = await take_turns(asking, sides, sources)
            else:
                self.talks[plan.id] = await write_whole(asking, assistant, sources)

        return done

    def made(self) -> list[Talk]:
        """What came of the plans, in their order, as far as they were begun."""
        return [self.talks[one.id] for one in self.given.plans if one.id in self.talks]


async def simulate_async(
    given: Simulating,
    *,
    on_step: Callable[[Step], None] = lambda _: None,
    note: Note = lambda _: None,
) -> SimulatedDialogues:
    """Asks what the folder does not hold yet, and writes the dialogues there.

    Raises:
        DataError: every dialogue failed; the steps are kept.
    """
    async with Models(given.session.models, note=note) as models:
        steps = Steps(on_step)
        under_way = OpenSimulation(given, models, steps)
        settings = given.settings()
        async with stepping(
            given.session,
            steps,
            models,
            command={**given.session.command(), **settings},
            prompts=given.prompts,
            note=note,
        ) as at:
            await at.do(under_way.doing(one) for one in given.plans)
            finished = await at.settle()
            talks = under_way.made()
            done = [one for one in talks if one.ended is not None]
            how = given.how()
            dialogues = [
                one.conversation(f"{one.plan.recipe.name}@{given.assistant}", metadata(one, how))
                for one in done
            ]
            result = SimulatedDialogues(
                dialogues,
                talks,
                len(given.plans),
                reasons=steps.unscored(*STAGES.values()),
                again=sum(max(0, one.attempts - 1) for one in steps.used.values()),
                spent=spent_on(steps, models.budget.spent),
                out=given.session.out,
                interrupted=at.run.interrupted,
                waiting=at.waiting,
                seed=given.session.run.seed,
                signature=sign(settings),
            )
            return _kept(given, result) if finished else result


def _kept(given: Simulating, result: SimulatedDialogues) -> SimulatedDialogues:
    """The result with its files, which hold what was made and what failed."""
    out = given.session.out
    failed = [one for one in result.talks if one.failed is not None]
    files = {str(out / DIALOGUES): len(result.dialogues)}
    replace_file(out / DIALOGUES, (json_line(to_json(one)) for one in result.dialogues))
    if failed or (out / FAILED).exists():
        replace_file(out / FAILED, (json_line(_failed_json(one)) for one in failed))
    if failed:
        files[str(out / FAILED)] = len(failed)
    if not result.dialogues:
        why = ", ".join(f"{n:,} {reason}" for reason, n in result.failures.items())
        raise DataError(f"no dialogue was made: {why}; see {out / FAILED}", source="topics")
    return replace(result, outputs=files)


def _failed_json(talk: Talk) -> dict[str, Any]:
    """A dialogue that failed, as no conversation, so that nothing reads it as one."""
    unscored = talk.failed
    return {
        "dialogue": talk.plan.id,
        "topic": talk.plan.topic.id,
        "recipe": talk.plan.recipe.name,
        "reason": "" if unscored is None else unscored.reason,
        "message": "" if unscored is None else unscored.message,
        "said": [[one.role, one.text] for one in talk.turns],
    }


async def estimate(given: Simulating) -> dict[str, Estimate]:
    """Calls, tokens and cost by model beyond what folder and cache hold, at most; asks nothing.

    Every dialogue reaches the limit of exchanges, answers are as long as they may be, and a search
    by such answers finds the longest passages.
    """
    dry = replace(given.session.models, dry=True)
    async with Models(dry, note=lambda _: None) as models:
        steps = Steps(known=stored_steps(given.session))
        under_way = OpenSimulation(given, models, steps, dry=True)
        for one in given.plans:
            await under_way.doing(one)()
        return {name: one.estimate for name, one in models.estimates.items()}

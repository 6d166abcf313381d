"""Topics in, dialogues out: plans are made, models asked, and what came of each is kept.

Each dialogue goes its way alone, and every call is a step of the run's journal, so a run that is
stopped goes on where it was, and nothing is paid for twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Unscored
from assize.base.signature import json_hash, sign
from assize.formats.writing import json_line
from assize.judging.calls import Asker
from assize.judging.prompting import load_prompt
from assize.judging.session import RunFacts, Session
from assize.judging.step_work import StepWork, write_records
from assize.judging.steps import Steps
from assize.models import Models
from assize.results.numbers import counted
from assize.running.durable import replace as replace_file
from assize.simulate._coherence import HOME, simulate_asker
from assize.simulate._recipes.asking import (
    ASSISTANT,
    PROMPTS,
    QUERY,
    QUESTION,
    USER,
    WHOLE,
    Asking,
    seeded,
)
from assize.simulate._recipes.checks import checks_of, source_checks_of
from assize.simulate._recipes.plan import Plan, Talk
from assize.simulate._recipes.provenance import metadata
from assize.simulate._recipes.simulated import SimulatedDialogues
from assize.simulate._recipes.sources import Sources
from assize.simulate._recipes.write import write_dialogue
from assize.simulate._result import facts_of
from assize.simulate._topics_file import topic_json

DIALOGUES, FAILED = "dialogues.jsonl", "failed.jsonl"
USED = {False: (WHOLE,), True: (QUESTION, USER, ASSISTANT)}


@dataclass
class DialogueWork(StepWork[Talk, SimulatedDialogues]):
    """Writes dialogues, each by itself, one call after the other.

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

    def open(self, models: Models, steps: Steps, *, dry: bool) -> None:
        """Open both models."""
        settings = replace(self.session.asked, temperature=self.temperature)
        self.steps = steps
        self.answering: Asker = simulate_asker(models.open(self.assistant), settings)
        self.asking = self.answering
        if self.user != self.assistant and any(plan.recipe.turn_by_turn for plan in self.plans):
            self.asking = simulate_asker(models.open(self.user), settings)

    def prompts(self) -> dict[str, str]:
        """Return version and hash of each prompt that is used."""
        used = {name for plan in self.plans for name in USED[plan.recipe.turn_by_turn]}
        used |= {QUERY for plan in self.plans if plan.recipe.documents == "query"}
        folder = self.session.asked.prompts
        loaded = {name: load_prompt(name, folder, HOME) for name in PROMPTS if name in used}
        return {name: f"{one.version} {one.hash}" for name, one in loaded.items()}

    def provenance(self) -> dict[str, Any]:
        """Return what every dialogue's metadata say of the run."""
        return {
            "models": {"user": self.user, "assistant": self.assistant},
            "prompts": self.prompts(),
            "temperature": self.temperature,
            "seed": self.session.run.seed,
            "most_exchanges": self.most,
            "retrieval": self.sources.described(),
        }

    def settings(self) -> dict[str, Any]:
        """Return everything that could change what is made."""
        plans = [[plan.id, topic_json(plan.topic), plan.persona] for plan in self.plans]
        return {**self.provenance(), "plans": json_hash(plans, 16)}

    def stages(self) -> Iterator[Sequence[Plan]]:
        """Yield all plans."""
        yield self.plans

    async def make(self, plan: Plan) -> Talk:
        """Return what came of a plan."""
        assistant, user = seeded(self.answering, plan.seed), seeded(self.asking, plan.seed)
        return await write_dialogue(
            Asking(plan, self.steps, self.most, assistant, user, self.sources)
        )

    def at_most(self) -> str:
        """Say that an estimate holds where every dialogue reaches its limit."""
        return f"if every dialogue reaches {self.most} exchanges"

    async def result(self, made: Sequence[Talk], run: RunFacts) -> SimulatedDialogues:
        """Return the dialogues; write them, and what failed, once all were tried.

        Raises:
            DataError: every dialogue failed; the steps are kept.
        """
        how, out, steps = self.provenance(), self.session.out, self.steps
        dialogues = [
            talk.conversation(f"{talk.plan.recipe.name}@{self.assistant}", metadata(talk, how))
            for talk in made
            if talk.ended is not None
        ]
        failed = [_failed_json(talk, talk.failed) for talk in made if talk.failed is not None]
        reasons = Counter(str(line["reason"]) for line in failed)
        again = sum(max(0, step.attempts - 1) for step in steps.used.values())
        notes = [f"{counted(n, 'dialogue')} failed: {why}" for why, n in reasons.items()]
        return SimulatedDialogues(
            records=dialogues,
            n=len(self.plans),
            unscored=len(failed),
            reasons=reasons,
            again=again,
            notes=notes,
            recipes=checks_of(made),
            sources=source_checks_of(made),
            outputs=self._write(dialogues, failed) if run.finished else {},
            signature=sign(self.settings()),
            **facts_of(run, out),
        )

    def _write(
        self, dialogues: Sequence[Conversation], failed: Sequence[Mapping[str, Any]]
    ) -> dict[str, int]:
        """Write what was made and what failed."""
        out = self.session.out
        files = write_records(out / DIALOGUES, dialogues)
        if failed or (out / FAILED).exists():
            replace_file(out / FAILED, map(json_line, failed))
        if failed:
            files[str(out / FAILED)] = len(failed)
        if not dialogues:
            reasons = Counter(line["reason"] for line in failed)
            why = ", ".join(f"{n:,} {reason}" for reason, n in reasons.items())
            raise DataError(f"no dialogue was made: {why}; see {out / FAILED}", source="topics")
        return files


def _failed_json(talk: Talk, unscored: Unscored) -> dict[str, Any]:
    """A dialogue that failed, as no conversation, so that nothing reads it as one."""
    return {
        "dialogue": talk.plan.id,
        "topic": talk.plan.topic.id,
        "recipe": talk.plan.recipe.name,
        "reason": unscored.reason,
        "message": unscored.message,
        "said": [[turn.role, turn.text] for turn in talk.turns],
    }

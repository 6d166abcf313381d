"""`armorm`, `samer`: reward models that also say how a response does on each objective.

Source: Wang et al. (2024), "Interpretable preferences via multi-objective reward modeling and
mixture-of-experts" (ArmoRM); Feng et al. (2025), "SaMer: A scenario-aware multi-dimensional
evaluator for large language models". The names of the objectives and their order are those of the
releases; the heads stand in `models/reward_heads.py`. Differs: where a dialogue has several turns,
the prompt of both is all that comes before the assistant's last turn.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assize.base.conversation import Conversation, Pair
from assize.base.errors import ConfigError, ServerError, TooLongError
from assize.base.judgment import NOT_APPLICABLE, PREFERENCE, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.judges.reward import score_request
from assize.judging.judges.scores import ScoresJudge
from assize.judging.shortening import LEFT_OUT, ask_shortened
from assize.models import Model, Reply

VERSION = 1
AFTER = "turns_after_the_answer"  # under which `details` tell how many were not shown

ARMORM_OBJECTIVES = (
    "helpsteer-helpfulness",
    "helpsteer-correctness",
    "helpsteer-coherence",
    "helpsteer-complexity",
    "helpsteer-verbosity",
    "ultrafeedback-overall_score",
    "ultrafeedback-instruction_following",
    "ultrafeedback-truthfulness",
    "ultrafeedback-honesty",
    "ultrafeedback-helpfulness",
    "beavertails-is_safe",
    "prometheus-score",
    "argilla-overall_quality",
    "argilla-judge_lm",
    "code-complexity",
    "code-style",
    "code-explanation",
    "code-instruction-following",
    "code-readability",
)
SAMER_DIMENSIONS = (
    "Accuracy", "Admit Uncertainty", "Audience Friendly", "Authenticity", "Citation", "Clarity",
    "Coverage", "Creativity", "Depth", "Feasibility", "Harmlessness", "Information Richness",
    "Insight", "Logic", "Multiple Aspects", "Objectivity", "Originality", "Professionalism",
    "Relevance", "Timeliness", "Attractive", "Interactivity", "Professional", "Being Friendly",
    "Coherence", "Emojis", "Emotion", "Length", "Style", "Vivid", "Step by Step Explanation",
    "Code Correctness", "Code Readability", "Instruction Following", "Layout", "Modularity",
    "Pacing", "Completeness", "Faithfulness", "Pointing Out", "Result at the Beginning",
    "Engagement",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Objectives:
    """A row of the table: a reward model with several objectives, in this process.

    Args:
        about: one line for users.
        name: of the judge, and of the question that the reward answers.
        objectives: the names of what the head scores, in its order.
        range: of every score, None where there is no bound.
        selects: whether an objective that the prompt does not call for does not apply.
    """

    about: str
    name: str
    objectives: tuple[str, ...]
    range: tuple[float, float] | None = None
    selects: bool = False

    @property
    def questions(self) -> tuple[Question, ...]:
        """The reward, and each objective."""
        overall = Question(
            self.name, "How well does the response do?", range=self.range, higher="better"
        )
        return overall, *(
            Question(f"{self.name}:{one}", f"How does the response do on {one}?", range=self.range)
            for one in self.objectives
        )

    def open(self, target: str, context: JudgeContext) -> ScoresJudge:
        """The judge that this checkpoint makes; raises ConfigError for what is none."""
        kind, _, rest = target.partition(":")
        if kind not in ("hf", "scripted") or not rest:
            raise ConfigError(f"{self.name} runs in this process: write {self.name}@hf:PATH-or-id")
        model = context.models.open(f"hf-scores:{rest}" if kind == "hf" else target)
        name = f"{self.name}@{target}"

        async def score(item: Conversation, task: Task) -> Sequence[Judgment]:
            return await self._rows(item, task, name, model, context.settings)

        signature = sign(
            {"judge": self.name, "version": VERSION, "model": name},
            {"truncate": context.settings.truncate},
        )
        prefers, takes = {self.name: PREFERENCE}, (Conversation, Pair)
        return ScoresJudge(name, signature, score, self.questions, prefers, takes)

    async def _rows(
        self, item: Conversation, task: Task, name: str, model: Model, settings: JudgeSettings
    ) -> list[Judgment]:
        def unscored(reason: Unscored) -> list[Judgment]:
            return [
                Judgment(item.id, name, one.id, repeat=task.repeat, unscored=reason)
                for one in self.questions
            ]

        said, after = answered_part(item)
        if said is None:
            return unscored(Unscored("empty", "there is no turn of the assistant that answers one"))

        async def ask(shown: Conversation) -> Reply:
            if len(shown.turns) < 2:
                raise TooLongError("too long; nothing of the prompt would be left")
            return await model.ask(score_request(shown.turns, shown.id, self.name, task))

        reply, left_out = await ask_shortened(said, ask, settings)
        parts = _parts(reply, model.name)
        if len(parts["objectives"]) != len(self.objectives):
            raise ConfigError(
                f"{model.name} has {len(parts['objectives'])} objectives and {self.name} has"
                f" {len(self.objectives)}; ask it as reward@{name.partition('@')[2]}"
            )
        if not math.isfinite(parts["score"]):
            problem = "the prompt calls for none of the dimensions"
            rows = unscored(Unscored("no_objective", problem))
        else:
            rows = self._scored(item, task, name, parts, {AFTER: after, LEFT_OUT: left_out})
        return [replace(rows[0], usage=reply.usage, attempts=1), *rows[1:]]

    def _scored(
        self,
        item: Conversation,
        task: Task,
        name: str,
        parts: Mapping[str, Any],
        counted: Mapping[str, int],
    ) -> list[Judgment]:
        """The reward, with the weights and objectives behind it, then a row an objective."""
        named = dict(zip(self.objectives, parts["objectives"], strict=True))
        weights = dict(zip(self.objectives, parts["weights"], strict=True))
        called = dict.fromkeys(self.objectives, 1.0)
        if self.selects:
            called = dict(zip(self.objectives, parts["called"], strict=True))
        kept = [one for one in self.objectives if called[one] > 0]
        details: dict[str, Any] = {
            "objectives": {one: named[one] for one in kept},
            "weights": {one: weights[one] for one in kept},
            **{what: count for what, count in counted.items() if count},
        }
        first = Judgment(
            item.id, name, self.name, score=parts["score"], repeat=task.repeat, details=details
        )
        return [first] + [
            Judgment(
                item.id,
                name,
                f"{self.name}:{one}",
                repeat=task.repeat,
                score=named[one] if called[one] > 0 else None,
                answer=None if called[one] > 0 else NOT_APPLICABLE,
            )
            for one in self.objectives
        ]


def answered_part(item: Conversation) -> tuple[Conversation | None, int]:
    """The dialogue up to the assistant's last turn, and how many turns come after it.

    None where no turn of the assistant has another before it.
    """
    places = [at for at, turn in enumerate(item.turns) if turn.role == "assistant" and at > 0]
    if not places:
        return None, 0
    end = places[-1] + 1
    return replace(item, turns=item.turns[:end]), len(item.turns) - end


def _parts(reply: Reply, name: str) -> dict[str, Any]:
    """What a reply says of a reward; NaN stands in it as JSON's NaN."""
    try:
        found = json.loads(reply.text)
        score, objectives, weights = (found[one] for one in ("score", "objectives", "weights"))
        known: dict[str, Any] = {
            "score": float(score),
            "objectives": [float(one) for one in objectives],
            "weights": [float(one) for one in weights],
            "called": [float(one) for one in found.get("called", [])],
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ServerError(f"{name} gave {reply.text[:60]!r}, which is no reward") from error
    if not all(map(math.isfinite, known["objectives"])):
        raise ServerError(f"{name} gave objectives that are no finite numbers")
    return known


ARMORM = Objectives(
    "ArmoRM: a reward, and 19 objectives behind it; of a pair the higher wins",
    "armorm",
    ARMORM_OBJECTIVES,
)
SAMER = Objectives(
    "SaMer: 0 to 1 overall, and on those of 42 dimensions that the prompt calls for",
    "samer",
    SAMER_DIMENSIONS,
    range=(0, 1),
    selects=True,
)

"""`debate`: a member of the public and a critic score both responses, one after the other, twice.

round 1   public ──► critic          each sees all that was said before
round 2   public ──► critic          the scores of this round count
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from assize.base.conversation import Pair
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question
from assize.judging.boundary import INVISIBLE
from assize.judging.judge import JudgeContext, JudgeOffer, Task, identical, tied
from assize.judging.judges.scores import AsksPrompts, higher, together
from assize.judging.method import Method, Said
from assize.judging.prompt_judge import PromptJudge, open_method
from assize.judging.schemas import record, scale, words
from assize.judging.shortening import LEFT_OUT

AGENTS = ("public", "critic")
ROUNDS = 2
LOWEST, HIGHEST = 1, 10


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """An agent's argument and its scores, sides as they were shown."""
    scores = {"A": float(value["score_a"]), "B": float(value["score_b"])}
    yield Said(
        PREFERENCE.id,
        higher(scores["A"], scores["B"]),
        explanation=value["argument"],
        details={"scores": scores},
    )


def exchanged(details: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the sides' scores exchanged."""
    scores = details["scores"]
    return {**details, "scores": {"A": scores["B"], "B": scores["A"]}}


SPEECH = Method(
    name="debate",
    about="one agent's turn in a debate",
    takes=(Pair,),
    questions=(PREFERENCE,),
    prompt="debate",
    schema=record(argument=words(), score_a=scale(LOWEST, HIGHEST), score_b=scale(LOWEST, HIGHEST)),
    read=read,
    exchange=exchanged,
)


@dataclass(frozen=True)
class DebateJudge(AsksPrompts):
    """The two agents, played by one model; each presentation order is a debate of its own, and one
    vote.

    Source: Chan et al. (2023), one by one; AMULET, appendix M.
    """

    name: str  # `debate@provider:model`
    signature: str  # of prompt, model and parameters
    asks: tuple[PromptJudge, ...]  # the one who speaks, for both agents

    kind: JudgeKind = "model"
    takes: tuple[type, ...] = (Pair,)
    questions: tuple[Question, ...] = (PREFERENCE,)
    rows_vary: bool = False

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One row; who said what stands in `details`."""
        if identical(task.item):
            return tied(self, task)
        spoken: list[tuple[str, int, Judgment]] = []
        for number in range(1, ROUNDS + 1):
            for agent in AGENTS:
                row = await self._speech(task, agent, number, spoken)
                spoken.append((agent, number, row))
                if row.unscored is not None:
                    return [self._row(task, spoken)]
        return [self._row(task, spoken)]

    async def _speech(
        self, task: Task, agent: str, number: int, spoken: Sequence[tuple[str, int, Judgment]]
    ) -> Judgment:
        said = [
            {"agent": who, "round": when, "argument": row.explanation, **_shown(row, task)}
            for who, when, row in spoken
        ]
        values = {"agent": agent, "round": number, "rounds": ROUNDS, "said": said}
        (speaker,) = self.asks
        method = replace(speaker.method, name=f"debate {number} {agent}", values=values)
        (row,) = await PromptJudge(method, speaker.model, speaker.settings).judge(task)
        return row

    def _row(self, task: Task, spoken: Sequence[tuple[str, int, Judgment]]) -> Judgment:
        last = spoken[-1][2]
        rows = [row for _, _, row in spoken]
        final = [row for _, number, row in spoken if number == ROUNDS]
        told = [
            {"agent": who, "round": when, "scores": (row.details or {}).get("scores")}
            for who, when, row in spoken
            if row.unscored is None
        ]
        scores = None
        if last.unscored is None:
            scores = {
                side: fmean((row.details or {})["scores"][side] for row in final) for side in "AB"
            }
        details: dict[str, Any] = {"scores": scores, "said": told}
        for fact in (LEFT_OUT, INVISIBLE):
            count = max((row.details or {}).get(fact, 0) for row in rows)
            if count:
                details[fact] = count
        return Judgment(
            task.item.id,
            self.name,
            PREFERENCE.id,
            answer=None if scores is None else higher(scores["A"], scores["B"]),
            order=task.order,
            repeat=task.repeat,
            unscored=last.unscored,
            explanation="\n".join(row.explanation for row in final if row.explanation) or None,
            details=details,
            attempts=sum(row.attempts or 0 for row in rows),
            usage=together([row.usage for row in rows]),
        )


def _shown(row: Judgment, task: Task) -> dict[str, float]:
    """An agent's scores with the sides as all agents see them."""
    details = row.details or {}
    scores = (exchanged(details) if task.order == "BA" else details)["scores"]
    return {"score_a": scores["A"], "score_b": scores["B"]}


def open_debate(model: str, context: JudgeContext) -> DebateJudge:
    """Return the debate that this model plays."""
    nothing = {"agent": AGENTS[0], "round": 1, "rounds": ROUNDS, "said": []}
    speaker = open_method(replace(SPEECH, values=nothing), model, context)
    return DebateJudge(speaker.name, speaker.signature, (speaker,))


DEBATE = JudgeOffer(
    "a member of the public and a critic argue over two rounds and score both responses",
    open_debate,
)

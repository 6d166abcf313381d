"""Two answers to the same turns of a user: by two models, or by a model and as recorded.

Turn by turn, each side sees the user's turns with its own earlier answers. One side leads; the
other is asked again, with a wish for the leader's length, where it is too long or too short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assize.base.conversation import Conversation, Pair, Turn
from assize.judging.judge import JudgeSettings
from assize.judging.prompting import load_prompt
from assize.judging.steps import Steps
from assize.models import CallId, Message, Model, Request
from assize.models.model import wire
from assize.reference._continuations.next_turn import LONGEST, answered
from assize.running import key_of
from assize.simulate._coherence import HOME
from assize.simulate._dialogue_filters import spoken
from assize.simulate._lengths import words
from assize.simulate._settings import Answers

GIVEN = "given"
"""The source that is the recorded answer."""

PROMPT = "simulate-length"
STAGE = "respond"
LENGTHS = "lengths too far apart"


@dataclass(frozen=True, slots=True)
class Plan:
    """Who answers a conversation.

    Args:
        sources: who is A and who is B: models, or `given`.
        leader: 0 or 1, the side that the other's lengths must come near.
    """

    chat: Conversation
    sources: tuple[str, str]
    leader: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A pair, or why there is none."""

    pair: Pair | None
    reason: str | None = None
    again: int = 0  # answers that were asked again for their length


def planned(chat: Conversation, sources: Sequence[str], seed: int) -> Plan:
    """Two of the sources, drawn by seed and id, which is A, and which leads.

    What is recorded cannot be asked again, so it leads.

    Source: MTDEval, appendix A.1: other models answer "with noticeable quality differences";
    how they came about is not said. Here they differ as the models do.
    """
    rng = np.random.default_rng([seed, key_of("plan", chat.id) % 2**32])
    first, second = (sources[at] for at in rng.permutation(len(sources))[:2])
    leader = int(rng.integers(2))
    if GIVEN in (first, second):
        leader = (first, second).index(GIVEN)
    return Plan(chat, (first, second), leader)


@dataclass
class Responder:
    """Has plans answered, each answer a step that is asked once."""

    models: Mapping[str, Model]
    steps: Steps
    settings: JudgeSettings
    how: Answers

    async def answer(self, plan: Plan) -> Answered:
        """Both dialogues, turn by turn; stops at the first answer that cannot be had.

        Raises:
            AuthenticationError: a model cannot be asked at all.
        """
        said = spoken(plan.chat.turns)
        system = plan.chat.turns[: len(plan.chat.turns) - len(said)]
        sides: tuple[list[Turn], list[Turn]] = ([], [])
        again = 0
        for start in range(0, len(said), 2):
            target: int | None = None
            for side in (plan.leader, 1 - plan.leader):
                history = (*system, *sides[side], said[start])
                turn = _Turn(plan, side, start // 2, history, said[start + 1].text)
                text, count, reason = await self._text(turn, target)
                again += count - 1
                if text is None:
                    return Answered(None, reason, again)
                sides[side].extend((said[start], Turn("assistant", text)))
                target = words(text)
        return Answered(_pair(plan, system, sides), None, again)

    async def _text(self, turn: _Turn, target: int | None) -> tuple[str | None, int, str | None]:
        """An answer near the target, how often it was asked for, and why there is none."""
        source = turn.plan.sources[turn.side]
        if source == GIVEN:
            return turn.recorded, 1, None
        length: int | None = None
        for attempt in range(1 if target is None else self.how.attempts):
            request = self.request(turn, attempt, target, length)
            step = await self.steps.take(
                STAGE,
                f"{turn.plan.chat.id} {source} {turn.number}",
                [
                    source,
                    attempt,
                    wire(request.messages),
                    request.temperature,
                    request.seed,
                    request.max_tokens,
                ],
                partial(answered, self.models[source], request),
            )
            if step.answer is None:
                return None, attempt + 1, f"no answer by {source}: {step.failure.reason}"
            text: str = step.answer["text"]
            length = words(text)
            near = target is None or self.how.words < 0 or abs(length - target) <= self.how.words
            if near:
                return text, attempt + 1, None
        return None, self.how.attempts, LENGTHS

    def request(
        self, turn: _Turn, attempt: int = 0, target: int | None = None, had: int | None = None
    ) -> Request:
        """What a model is sent: the conversation so far, and from the second time on the wish."""
        settings = self.settings
        said = [Message(one.role, one.text) for one in turn.history if one.role != "tool"]
        if attempt and target is not None:
            wish = self._wish(target, had)
            system = "\n\n".join([*(one.text for one in said if one.role == "system"), wish])
            said = [Message("system", system), *(one for one in said if one.role != "system")]
        return Request(
            tuple(said),
            temperature=self.how.sample_temperature,
            seed=settings.seed + attempt,
            max_tokens=LONGEST if settings.max_tokens is None else settings.max_tokens,
            sample=attempt,
            call_id=CallId(turn.plan.chat.id, "simulate", repeat=turn.number, step=STAGE),
            example_answer=lambda: f"{'ab'[turn.side]} {attempt} " + "answers that much " * 20,
        )

    def _wish(self, target: int, had: int | None) -> str:
        within = max(0, self.how.words)
        values: dict[str, Any] = {
            "wanted": target,
            "least": max(1, int(target - within)),
            "most": int(target + within),
            "had": target if had is None else had,
        }
        return load_prompt(PROMPT, self.settings.prompts, HOME).messages(values)[0].text


@dataclass(frozen=True, slots=True)
class _Turn:
    """One answer that is wanted."""

    plan: Plan
    side: int
    number: int
    history: tuple[Turn, ...]
    recorded: str


def _pair(plan: Plan, system: Sequence[Turn], sides: tuple[list[Turn], list[Turn]]) -> Pair:
    a, b = plan.sources
    metadata: dict[str, Any] = {
        "conversation": plan.chat.id,
        "systems": {
            side: plan.chat.system or GIVEN if one == GIVEN else one
            for side, one in (("A", a), ("B", b))
        },
    }
    return Pair(
        plan.chat.id,
        tuple(system),
        tuple(sides[0]),
        tuple(sides[1]),
        True,
        metadata={**plan.chat.metadata, **metadata},
    )

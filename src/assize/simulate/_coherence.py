"""Whether a conversation holds together, as a model sees it: theme, logic, transitions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from assize.base.conversation import Conversation
from assize.formats import to_json
from assize.judging.calls import Asker, Call
from assize.judging.judge import JudgeSettings
from assize.judging.schemas import one_of, record, words
from assize.judging.steps import Step, Steps
from assize.models import Model

HOME = Path(__file__).parent / "prompts"
PROMPT = "simulate-coherence"
STAGE = "coherence"
ASPECTS = ("theme", "logic", "transitions")
_SCHEMA = record(explanation=words(), **{one: one_of(("yes", "no")) for one in ASPECTS})


def simulate_asker(model: Model, settings: JudgeSettings) -> Asker:
    """What asks this package's prompts; a user's own files of their names come first."""
    return Asker(model, settings, HOME, "simulate")


async def coherence(chat: Conversation, asker: Asker, steps: Steps) -> Step:
    """The model's answer on the three aspects, as a step that is asked once.

    Source: MTDEval, appendix A.1, where a model filters dialogues by thematic consistency, logical
    coherence and smooth transitions. Its prompt is unpublished; ours is `simulate-coherence`.
    """
    call = Call(
        PROMPT,
        {"turns": chat.turns},
        [turn.text for turn in chat.turns],
        _SCHEMA,
        lambda value: {name: value[name] for name in ("explanation", *ASPECTS)},
        (chat.id, STAGE),
        max_tokens=512,
    )

    given = [asker.model.name, asker.prompt(PROMPT).hash, to_json(chat)]
    return await steps.take(STAGE, chat.id, given, partial(asker.ask_or_unscored, call))


def is_coherent(step: Step) -> bool:
    """Whether the model said yes to all three."""
    return step.answer is not None and all(step.answer[one] == "yes" for one in ASPECTS)

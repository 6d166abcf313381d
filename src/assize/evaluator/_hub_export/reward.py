"""An evaluator as a reward function of TRL: what GRPOTrainer and its kin call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from assize.base.conversation import Continuation, Conversation, Item, Turn
from assize.base.errors import ConfigError, DataError
from assize.evaluator._artefact import open_evaluator
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._scoring import score
from assize.formats.chat_messages import read_messages

Messages = str | Sequence[Mapping[str, Any]]
"""A prompt or a completion: a text, or messages with a role and content."""

Level = Literal["conversation", "turn"]


RewardFunction = Callable[..., list[float | None]]
"""What TRL calls with `prompts`, `completions`, and every column of its data set by name."""


def reward_function(
    evaluator: Evaluator | str | Path = "default",
    *,
    question: str | None = None,
    level: Level = "conversation",
    encoder: str | None = None,
) -> RewardFunction:
    """Make an evaluator a reward for TRL's trainers: `GRPOTrainer(reward_funcs=[...])`.

    The reward of a completion is the evaluator's rank, from 0 to 1, of the prompt followed by the
    completion, or of the completion's turn. Prompts and completions are texts, or conversations
    as lists of messages. A completion that cannot be scored gets None, which TRL leaves out.

    Args:
        evaluator: folder of a trained evaluator, hub:OWNER/NAME, or default for the shipped one; or
            an evaluator.
        question: whose score; None is the evaluator's first.
        level: `conversation` scores the whole dialogue, `turn` the completion in its context.
        encoder: your word for the encoder, where it is not minilm.

    Returns:
        A function of `prompts` and `completions`, whose name is `assize_QUESTION`.

    Raises:
        ConfigError: the evaluator answers no such question of one dialogue.
        DataError: when called: a message has no role or content, or lengths differ.

    Source: TRL, "Using a custom reward function" of the GRPO trainer. Differs: none.
    """
    chosen = open_evaluator(evaluator, encoder)
    asked = chosen.main.question.id if question is None else question
    known = [name for name, one in chosen.scored.items() if not one.pairs_only]
    if asked not in known:
        raise ConfigError(f"{chosen.judge} answers no question {asked!r}; it answers {known}")

    def reward(
        prompts: Sequence[Messages], completions: Sequence[Messages], **columns: Any
    ) -> list[float | None]:
        if len(prompts) != len(completions):
            raise DataError(f"{len(prompts)} prompts and {len(completions)} completions")
        items = [
            _item(str(place), _turns(prompt, "user"), _turns(completion, "assistant"), level)
            for place, (prompt, completion) in enumerate(zip(prompts, completions, strict=True))
        ]
        rows = [row for row in score(items, evaluator=chosen) if row.question == asked]
        return [
            None if row.unscored is not None else (row.details or {}).get("rank", row.score)
            for row in rows
        ]

    reward.__name__ = reward.__qualname__ = f"assize_{asked}"
    return reward


def _item(name: str, asked: Sequence[Turn], said: Sequence[Turn], level: Level) -> Item:
    if level == "conversation":
        return Conversation(name, (*asked, *said))
    ends = bool(said) and said[-1].role == "assistant"
    context = (*asked, *(said[:-1] if ends else said))
    return Continuation(name, context, said[-1].text if ends else "")


def _turns(said: Messages, role: Literal["user", "assistant"]) -> tuple[Turn, ...]:
    """The turns of a prompt or a completion; a bare text is one turn of `role`."""
    if isinstance(said, str):
        return (Turn(role, said),)
    return tuple(read_messages(list(said), "messages"))

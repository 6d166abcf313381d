"""A calibrated score as the reward of a policy that is being trained, as TRL calls it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from assize.calibration.calibrator import Calibrator, predict
from assize.calibration.table import features_of, questions_of
from assize.conversation import ROLES, Conversation, Role, Turn
from assize.errors import ConfigError, DataError
from assize.judgment import Judgment, JudgmentTable

Ask = Callable[[Sequence[Conversation]], Iterable[Judgment]]
"""A model's answers to the rubric's questions about conversations, by their ids."""

RewardFunction = Callable[..., list[float | None]]


def trl_reward(
    calibrator: Calibrator, ask: Ask, raters: Sequence[int] | None = None
) -> RewardFunction:
    """A function for `reward_funcs` of TRL's GRPO trainer; TRL itself is not needed here.

    The reward is the expected answer, on the target's own values, averaged over the raters. A
    completion that no answer is known of has None, TRL's word for no reward: never zero here.
    (Where no other function rewards it either, TRL itself warns and adds up nothing to 0.)

    Args:
        calibrator: of a question with ordered answers. A correction kept beside it is not made.
        ask: called once a batch, with conversations "0", "1", ... of prompt and completion;
            must ask what the calibrator reads, of the same judge.
        raters: places in `calibrator.raters`, or UNKNOWN; all known ones by default.

    Returns:
        `reward(prompts, completions, **kwargs) -> list`: prompts and completions are texts or
        lists of messages `{"role", "content"}`; further columns of the data set are not read.

    Raises:
        ConfigError: the target's answers are not ordered, or no rater is named.
        DataError: (by the function) a message is none, or there are not as many prompts as
            completions.
    """
    if not calibrator.target.ordered:
        raise ConfigError(
            f"the answers to {calibrator.target.id!r} are not ordered: they have no mean to reward"
        )
    whom = list(range(len(calibrator.raters))) if raters is None else list(raters)
    if not whom:
        raise ConfigError("name at least one rater whose answers are the reward")
    questions = questions_of(calibrator.blocks)
    values = np.array(calibrator.target.values)

    def reward(prompts: Sequence[Any], completions: Sequence[Any], **_: Any) -> list[float | None]:
        if len(prompts) != len(completions):
            raise DataError(f"{len(prompts)} prompts, but {len(completions)} completions")
        chats = [
            Conversation(str(n), (*_turns(prompt, "user"), *_turns(completion, "assistant")))
            for n, (prompt, completion) in enumerate(zip(prompts, completions, strict=True))
        ]
        found: list[float | None] = [None] * len(chats)
        rows = list(ask(chats))
        if all(row.unscored is not None for row in rows):
            return found
        features = features_of(JudgmentTable.of(rows, questions))
        means = (predict(calibrator, features, whom) @ values).mean(axis=1)
        for (item, _turn), mean in zip(features.units, means.tolist(), strict=True):
            found[_place(item, len(chats))] = None if np.isnan(mean) else mean
        return found

    # TRL logs a reward function by its name.
    reward.__name__ = f"assize_{calibrator.target.id}"
    return reward


def _turns(said: Any, role: Role) -> tuple[Turn, ...]:
    """Turns of a text, or of messages; tool calls without text are empty turns."""
    messages = [{"role": role, "content": said}] if isinstance(said, str) else said
    found = []
    for message in messages:
        if not isinstance(message, Mapping) or message.get("role", role) not in ROLES:
            raise DataError(f"received {ascii(message)[:60]}; expected a text, or role and content")
        text = message.get("content") or ""
        if not isinstance(text, str):
            raise DataError(f"content is {type(text).__name__}; only texts can be judged")
        speaker: Any = message.get("role", role)
        found.append(Turn(speaker, text))
    return tuple(found)


def _place(item: str, count: int) -> int:
    if not item.isdecimal() or int(item) >= count:
        raise DataError(f"an answer about {ascii(item)[:60]}, which was not asked about")
    return int(item)

"""A calibrated score as the reward of a policy that is being trained, as TRL calls it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.base.fields import METADATA, inside
from assize.base.judgment import Judgment
from assize.calibrate._artefact import signature
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.embedding import features_for
from assize.calibrate._data.features import questions_of
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._groups.multicalibration import Correction
from assize.formats.chat_messages import read_turns
from assize.judgments import JudgmentTable
from assize.judgments.membership import RATER

Ask = Callable[[Sequence[Conversation]], Iterable[Judgment]]
"""A model's answers to the rubric's questions about conversations, by their ids."""

RewardFunction = Callable[..., list[float | None]]


def trl_reward(
    calibrator: Calibrator,
    ask: Ask,
    raters: Sequence[int] | None = None,
    correction: Correction | None = None,
    encoder: str | None = None,
) -> RewardFunction:
    """Make a function for `reward_funcs` of TRL's GRPO trainer, without needing TRL itself.

    The reward is the expected answer, on the target's own values, averaged over the raters. A
    completion that no answer is known of has None, TRL's word for no reward: never zero here.
    (Where no other function rewards it either, TRL itself warns and adds up nothing to 0.)

    Args:
        calibrator: of a question with ordered answers.
        ask: called once a batch, with conversations "0", "1", ... of prompt and completion;
            must ask what the calibrator reads, of the same judge. Embeddings that it reads
            are made here; scores beside the answers that are not given count as average.
        raters: places in `calibrator.raters`, or UNKNOWN; all known ones by default.
        correction: made before the mean is taken; see `load_correction`. One by `rater` needs
            nothing more; one by `system` or `metadata.NAME` the data set's column `system` or
            NAME, whose None is a group that is not known.
        encoder: your word for the encoder of embeddings that it reads, where it was fitted with
            another than minilm.

    Returns:
        `reward(prompts, completions, **kwargs) -> list`: prompts and completions are texts or
        lists of messages `{"role", "content"}`, read as `assize convert` reads them; of further
        columns of the data set only those are read that the correction needs.

    Raises:
        ConfigError: the target's answers are not ordered, or no rater is named.
        DataError: the correction was learnt for another calibrator; (by the function) a
            message is none, there are not as many prompts as completions, or a column that
            the correction needs is not there.
    """
    if correction is not None and correction.calibrator != signature(calibrator):
        raise DataError("the correction was learnt for another calibrator; learn it again")
    calibrator.target.check_ordered("they have no mean to reward")
    whom = list(range(len(calibrator.raters))) if raters is None else list(raters)
    if not whom:
        raise ConfigError("name at least one rater whose answers are the reward")
    fitted = FittedCalibrator(calibrator, correction)
    questions = questions_of(calibrator.blocks)
    said = dict.fromkeys(calibrator.blocks, encoder)
    values = np.array(calibrator.target.values)

    def reward(
        prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
    ) -> list[float | None]:
        if len(prompts) != len(completions):
            raise DataError(f"{len(prompts)} prompts, but {len(completions)} completions")
        chats = [
            Conversation(
                str(n),
                (
                    *read_turns(prompt, f"prompts[{n}]", "user"),
                    *read_turns(completion, f"completions[{n}]", "assistant"),
                ),
            )
            for n, (prompt, completion) in enumerate(zip(prompts, completions, strict=True))
        ]
        for chat in chats:
            if any("content" in turn.extra for turn in chat.turns):
                raise DataError(f"prompt or completion {chat.id}: only texts can be judged")
        found: list[float | None] = [None] * len(chats)
        known = {
            field: _column(columns, field, len(chats)) for field in fitted.fields if field != RATER
        }
        rows = list(ask(chats))
        if all(row.unscored is not None for row in rows):
            return found
        table = JudgmentTable.of(rows, questions)
        features = features_for(calibrator.blocks, table, chats, said)
        places = [_place(item, len(chats)) for item, _turn in features.units]
        groups = {field: tuple(each[n] for n in places) for field, each in known.items()}
        means = (fitted.probabilities(features, whom, groups) @ values).mean(axis=1)
        for place, mean in zip(places, means.tolist(), strict=True):
            found[place] = None if np.isnan(mean) else mean
        return found

    # TRL logs a reward function by its name.
    reward.__name__ = f"assize_{calibrator.target.id}"
    return reward


def _column(columns: Mapping[str, Any], field: str, count: int) -> list[str | None]:
    """The groups of a batch (count,) by a field of the correction."""
    name, _, path = field.removeprefix(METADATA).partition(".")
    given = columns.get(name)
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != count:
        raise DataError(
            f"the correction is by {field}: give the data set a column {name!r}, one value a"
            " prompt (None where it is not known), or leave the correction out"
        )
    values = [inside(value, path) for value in given] if path else given
    return [None if value is None else str(value) for value in values]


def _place(item: str, count: int) -> int:
    if not item.isdecimal() or int(item) >= count:
        raise DataError(f"an answer about {ascii(item)[:60]}, which was not asked about")
    return int(item)

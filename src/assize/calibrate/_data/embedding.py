"""Embeddings of conversations, as columns beside the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item, Turn
from assize.base.errors import ConfigError, DataError
from assize.calibrate._data.features import Block, Features, NotAsked, features_of
from assize.calibrate._data.texts import reopened, vectors_of, with_texts
from assize.encoders import Encoder
from assize.encoders.unknown_tokens import unreadable
from assize.judgments import JudgmentTable, Unit

NAME = "embedding"
ROLES = ("user", "assistant")
NOTHING_SAID: Mapping[Block, str | None] = MappingProxyType({})


def embed_conversations(
    units: Sequence[Unit], items: Iterable[Item], encoder: Encoder, spec: str
) -> Features:
    """Mean vectors of each conversation's user turns and of its assistant turns, (N, 2 D), one late
    block.

    Of a turn, all turns up to it count; the sides of a pair have its id with `/A` and `/B`. NaN
    where there is no such conversation, no text, or none that the encoder can read.
    """
    found = dict(_conversations(items))
    if not any(item in found for item, _ in units):
        raise DataError(
            "none of the items with answers is among the conversations to be embedded"
            f" (one is {units[0][0]!r}); check the ids"
        )
    spoken = [_spoken(found.get(item, ()), turn) for item, turn in units]
    vectors = vectors_of((turn.text for turns in spoken for turn in turns), encoder)
    x = np.full((len(units), len(ROLES) * encoder.dimension), np.nan)
    for row, turns in enumerate(spoken):
        for place, role in enumerate(ROLES):
            texts = [turn.text for turn in turns if turn.role == role]
            if texts and unreadable(encoder, texts) is None:
                part = slice(place * encoder.dimension, (place + 1) * encoder.dimension)
                x[row, part] = np.mean([vectors[text] for text in texts], axis=0)
    block = Block(
        f"{NAME}@{spec}", encoder.signature, NAME, (), (), ordered=False, size=x.shape[1], late=True
    )
    return Features(tuple(units), (block,), x)


def embedding_blocks(blocks: Iterable[Block]) -> list[Block]:
    """Those blocks that are embeddings; their judge is `embedding@SPEC`."""
    return [block for block in blocks if block.question == NAME and block.judge.startswith(NAME)]


def with_embeddings(
    features: Features,
    blocks: Iterable[Block],
    items: Sequence[Item],
    said: Mapping[Block, str | None] = NOTHING_SAID,
) -> Features:
    """The features with the embeddings among `blocks` beside them, made anew.

    Args:
        said: by block, the user's word for its encoder, where that is not a built-in one.
    """
    for block in embedding_blocks(blocks):
        spec = block.judge.partition("@")[2]
        opened = reopened(block, said)
        features = features.beside(embed_conversations(features.units, items, opened, spec))
    return features


def features_for(
    blocks: Iterable[Block],
    answers: JudgmentTable,
    items: Sequence[Item] = (),
    said: Mapping[Block, str | None] = NOTHING_SAID,
    *,
    na: NotAsked = "kept",
) -> Features:
    """The table that fitted calibrators read: answers, and embeddings of conversations and free
    texts made anew; `said` as in `with_embeddings`, `na` as in `features_of`."""
    read = list(dict.fromkeys(blocks))
    if embedding_blocks(read) and not items:
        raise ConfigError("this calibrator reads the conversations' embeddings: give items")
    features = with_texts(features_of(answers, na=na), read, answers, said)
    return with_embeddings(features, read, items, said)


def _conversations(items: Iterable[Item]) -> Iterable[tuple[str, tuple[Turn, ...]]]:
    for item in items:
        if isinstance(item, Conversation):
            yield item.id, item.turns
        elif isinstance(item, Continuation):
            yield item.id, (*item.context, Turn("assistant", item.candidate))
        else:
            yield from ((side.id, side.turns) for side in item.sides())


def _spoken(turns: Sequence[Turn], last: int | None) -> list[Turn]:
    kept = turns if last is None else turns[: last + 1]
    return [turn for turn in kept if turn.role in ROLES and turn.text.strip()]

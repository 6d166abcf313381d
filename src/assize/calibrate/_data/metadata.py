"""What is known of a conversation beside its text (its system, topic, date), as late columns.

A field is one column a value. A value that is not known, or was never fitted, is missing: the
default then takes the average of the values, and a network that was trained with questions
masked has learnt what to make of it. Metadata is to be masked where predictions compare what it
says, so that they depend on the text alone.

Source: Hashemi et al. (2024), appendix B, additional features.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.calibrate._data.features import Block, Features, FloatArray
from assize.judgments import Unit
from assize.judgments.membership import RATER, known_labels, unit_labels

JUDGE = "metadata"
ALL = "all"


def metadata_features(
    units: Sequence[Unit], items: Sequence[Item], fields: Sequence[str]
) -> Features:
    """Fields (`system`, `metadata.NAME`) of the conversations, one late block each.

    Raises:
        ConfigError: a field is the rater, or stands there twice.
        DataError: no item has a field, or all have the same value.
    """
    if RATER in fields:
        raise ConfigError("metadata is of conversations; who rated is known without")
    if len(set(fields)) < len(fields):
        raise ConfigError(f"metadata: each field once; received {', '.join(fields)}")
    labels = unit_labels(fields, units, items)
    blocks, parts = [], []
    for field in fields:
        values = tuple(sorted({one for one in labels[field] if one is not None}))
        if len(values) < 2:
            raise DataError(
                f"all items have the same {field} ({values[0]!r}): it tells nothing; leave it out"
            )
        blocks.append(_block(field, values))
        parts.append(_columns(labels[field], values))
    return Features(tuple(units), tuple(blocks), np.hstack(parts))


def metadata_blocks(blocks: Iterable[Block]) -> list[Block]:
    """Those blocks that are metadata."""
    return [block for block in blocks if block.late and block.judge == JUDGE and block.answers]


def with_metadata(
    features: Features,
    blocks: Iterable[Block],
    items: Sequence[Item],
    masked: Collection[str] = (),
) -> Features:
    """The features with the metadata among `blocks` beside them, but for masked fields.

    Args:
        masked: fields that count as not known; `all` of them.

    Raises:
        ConfigError: a masked field is not among the blocks.
    """
    read = metadata_blocks(blocks)
    names = [block.question for block in read]
    for one in masked:
        if one not in (ALL, *names):
            known = ", ".join(names) or "no metadata"
            raise ConfigError(f"mask {one}: the calibrator reads {known}; or all")
    kept = [block for block in read if block.question not in masked and ALL not in masked]
    labels = known_labels([block.question for block in kept], features.units, items)
    parts = [_columns(labels[block.question], block.answers) for block in kept]
    if not kept:
        return features
    extra = Features(features.units, tuple(kept), np.hstack(parts))
    return features.beside(extra)


def _block(field: str, values: tuple[str, ...]) -> Block:
    places = tuple(float(place) for place in range(len(values)))
    return Block(JUDGE, "", field, values, places, ordered=False, late=True)


def _columns(labels: Sequence[str | None], values: Sequence[str]) -> FloatArray:
    """(N, K) 1 for the value of each item; a row of NaN where it is none of these."""
    place = {value: at for at, value in enumerate(values)}
    rows = np.array([place.get(one, -1) if one is not None else -1 for one in labels])
    found: FloatArray = np.eye(len(values))[rows]
    found[rows < 0] = np.nan
    return found

"""Free-text answers of models, embedded, as late columns beside the other answers.

A block is one question as one model answered it in one way. What is no text (an answer
missing, NA, or blank) is missing.

Source: Hashemi et al. (2024), appendix B, which suggests to read what a model has written. Theirs
names no encoder; here it is any.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from assize.base.errors import DataError
from assize.base.trust import HARMLESS
from assize.calibrate._data.features import (
    TEXTS,
    Block,
    Features,
    FloatArray,
    variants_of,
    written,
)
from assize.encoders import Encoder, find_unreadable, load_encoder, said_encoder
from assize.judgments import JudgmentTable
from assize.judgments.values import silent
from assize.results.log import log
from assize.stats._arrays import sum_rows

AT_ONCE = 512  # texts encoded together


def text_features(answers: JudgmentTable, encoder: Encoder, spec: str) -> Features | None:
    """The vectors of all free-text answers, a late block (N, D) for each question of each model and
    prompt variant; None where there are none.

    Several answers of one cell are averaged. NaN where there is none that the encoder can read.
    """
    units = answers.units()[1]
    line = {unit: place for place, unit in enumerate(units)}
    written_by = _readable(_said(answers), encoder)
    if not written_by:
        return None
    vectors = vectors_of((text for rows in written_by.values() for _, text in rows), encoder)
    blocks, parts = [], []
    for (judge, variant, question), rows in written_by.items():
        at = np.array([line[unit] for unit, _ in rows])
        total = sum_rows(np.stack([vectors[text] for _, text in rows]), at, len(units))
        count = np.bincount(at, minlength=len(units))[:, None]
        with np.errstate(invalid="ignore"):
            parts.append(total / count)
        whose = f"{encoder.signature} {judge} {variant}".strip()
        blocks.append(
            Block(
                TEXTS + spec,
                whose,
                question,
                (),
                (),
                ordered=False,
                size=encoder.dimension,
                late=True,
            )
        )
    return Features(units, tuple(blocks), np.hstack(parts))


def with_texts(
    features: Features,
    blocks: Iterable[Block],
    answers: JudgmentTable,
    said: Mapping[Block, str | None],
) -> Features:
    """The features with the texts among `blocks` beside them, embedded anew.

    Args:
        said: by block, the user's word for its encoder, where that is not a built-in one.

    Raises:
        ConfigError: an encoder needs the user's word.
        DataError: it is not the one that the block was fitted with.
    """
    read = [
        block for block in blocks if block.late and block.size > 1 and block.judge.startswith(TEXTS)
    ]
    for spec in dict.fromkeys(block.judge for block in read):
        mine = [block for block in read if block.judge == spec]
        encoder = reopened(mine[0], said)
        found = text_features(answers, encoder, spec.removeprefix(TEXTS))
        if found is None or not {one.key for one in found.blocks} & {one.key for one in mine}:
            continue
        features = features.beside(found.aligned(mine))
    return features


def reopened(block: Block, said: Mapping[Block, str | None]) -> Encoder:
    """The encoder of a late block, `NAME@SPEC`; raises DataError where its vectors are others."""
    spec = block.judge.partition("@")[2]
    word = None if spec in HARMLESS["encoder"] else said.get(block)
    opened = load_encoder(said_encoder(spec, word), cached=True)
    if f"{block.variant} ".startswith(f"{opened.signature} "):
        return opened
    raise DataError(
        f"encoder {word or spec} gives other vectors ({opened.signature}) than the one the"
        f" calibrator was fitted with ({block.variant.split()[0]}); fit it again"
    )


def vectors_of(texts: Iterable[str], encoder: Encoder) -> dict[str, FloatArray]:
    """The vector of each distinct text."""
    each = list(dict.fromkeys(texts))
    found: dict[str, FloatArray] = {}
    for start in range(0, len(each), AT_ONCE):
        some = each[start : start + AT_ONCE]
        found |= dict(zip(some, encoder.encode(some).vectors.astype(np.float64), strict=True))
    return found


def _readable(
    texts: Mapping[_Key, Sequence[_Written]], encoder: Encoder
) -> dict[_Key, Sequence[_Written]]:
    """The texts that the encoder can read; a line in the log counts the others."""
    readable: dict[_Key, Sequence[_Written]] = {}
    for key, rows in texts.items():
        unread = find_unreadable(encoder, [text for _, text in rows])
        if unread:
            why = next(iter(unread.values())).message
            log.info("%s of %s texts are left out: %s", f"{len(unread):,}", f"{len(rows):,}", why)
        if len(unread) < len(rows):
            readable[key] = [row for index, row in enumerate(rows) if index not in unread]
    return readable


_Key = tuple[str, str, str]
_Written = tuple[tuple[str, int | None], str]


def _said(answers: JudgmentTable) -> dict[tuple[str, str, str], Sequence[_Written]]:
    """By judge, variant and question, the items with their texts, in the order of the rows."""
    rows = answers.filter(written(answers) & ~silent(answers))
    codes, variants = variants_of(rows)
    found: dict[tuple[str, str, str], list[_Written]] = {}
    for row, code in zip(rows, codes.tolist(), strict=True):
        if row.answer is not None and row.answer.strip():
            found.setdefault((row.judge, variants[code], row.question), []).append(
                ((row.item, row.turn), row.answer)
            )
    return dict(found)

"""`reward@stored:FILE`: scores that somebody has written down already."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import Any

from assize.conversation import Continuation
from assize.errors import ConfigError
from assize.formats import read
from assize.judging.judge import JudgeContext, Task
from assize.judging.pointwise import PointwiseJudge, Rated
from assize.judgment import Judgment, Unscored
from assize.signature import sign

VERSION = 1


def open_stored(path: str, context: JudgeContext) -> PointwiseJudge:
    """The judge that compares stored scores.

    Args:
        path: a file of judgments, or a run's folder: of the items `ID/A` and `ID/B` with a
            `score` each, or of `ID` with `details` of `{"scores": {"A": .., "B": ..}}`.

    Raises:
        ConfigError: the file holds no score, or two for one response.
    """
    scores = read_scores(path)

    async def rate(response: Continuation, task: Task) -> Rated:
        if response.id not in scores:
            return Rated(None, Unscored("missing", f"{path} holds no score"), attempts=0)
        return Rated(scores[response.id], attempts=0)

    signature = sign({"judge": "stored", "version": VERSION, "scores": sorted(scores.items())})
    return PointwiseJudge(f"reward@stored:{Path(path).name}", signature, rate, kind="metric")


def read_scores(path: str) -> dict[str, float]:
    """The scores of a file by `ID/A` and `ID/B`."""
    place = Path(path)
    found: dict[str, float] = {}
    for row in read(place / "judgments.jsonl" if place.is_dir() else path):
        if not isinstance(row, Judgment) or row.turn is not None:
            continue
        for name, score in _scores(row).items():
            if found.setdefault(name, score) != score:
                raise ConfigError(f"{path} holds two scores for {name}; keep one judge's")
    if not found:
        raise ConfigError(
            f"{path} holds no score; it needs judgments of ID/A and ID/B with a `score`,"
            ' or `details` of {"scores": {"A": .., "B": ..}}'
        )
    return found


def _scores(row: Judgment) -> dict[str, float]:
    both = (row.details or {}).get("scores")
    if isinstance(both, dict):
        return {
            f"{row.item}/{side}": float(both[side]) for side in "AB" if _is_score(both.get(side))
        }
    return {row.item: row.score} if row.score is not None and _is_score(row.score) else {}


def _is_score(value: Any) -> bool:
    """Whether a value is a number; NaN is a score that is missing."""
    return isinstance(value, int | float) and not isinstance(value, bool) and not isnan(value)

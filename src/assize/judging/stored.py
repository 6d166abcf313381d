"""`reward@stored:FILE`: scores that somebody has written down already."""

from __future__ import annotations

from pathlib import Path

from assize.conversation import Continuation
from assize.errors import ConfigError
from assize.formats import read
from assize.judging.judge import Court, Task, sign
from assize.judging.sided import Rated, SidedJudge
from assize.judgment import Judgment, Unscored

VERSION = 1


def open_stored(path: str, court: Court) -> SidedJudge:
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
    return SidedJudge(f"reward@stored:{Path(path).name}", signature, rate, kind="metric")


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
            f"{row.item}/{side}": float(both[side])
            for side in "AB"
            if isinstance(both.get(side), int | float)
        }
    return {} if row.score is None else {row.item: row.score}

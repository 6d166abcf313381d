"""`reward@stored:FILE`: scores that somebody has written down already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any, Literal

from assize.conversation import Pair
from assize.errors import ConfigError
from assize.formats import read
from assize.judging.judge import JudgeContext, Task, identical, judge_one, tied
from assize.judging.pointwise import Rated, preferred
from assize.judgment import PREFERENCE, JudgeKind, Judgment, Question, Unscored
from assize.signature import sign

VERSION = 1


@dataclass(frozen=True)
class StoredJudge:
    """Compares scores that are there already."""

    path: str  # where they stand
    scores: Mapping[str, float]  # by `ID/A` and `ID/B`

    kind: JudgeKind = "metric"
    needs_model: Literal[False] = False
    takes: tuple[type, ...] = (Pair,)
    questions: tuple[Question, ...] = (PREFERENCE,)
    rows_vary: bool = False
    sees_order: bool = False

    @property
    def name(self) -> str:
        """`reward@stored:FILE`, without the folder."""
        return f"reward@stored:{Path(self.path).name}"

    @cached_property
    def signature(self) -> str:
        """Of all scores."""
        scores = sorted(self.scores.items())
        return sign({"judge": "stored", "version": VERSION, "scores": scores})

    def judge_many(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        """One row a pair: A, B or tie, with both scores in `details`."""
        return [
            tied(self, task)
            if identical(task.item)
            else [preferred(self.name, task, *(self._rated(task, side) for side in "AB"))]
            for task in tasks
        ]

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One pair's row."""
        return await judge_one(self, task)

    def _rated(self, task: Task, side: str) -> Rated:
        score = self.scores.get(f"{task.item.id}/{side}")
        if score is None:
            missing = Unscored("missing", f"{self.path} holds no score")
            return Rated(None, missing, attempts=0)
        return Rated(score, attempts=0)


def open_stored(path: str, context: JudgeContext) -> StoredJudge:
    """The judge that compares stored scores: of `ID/A` and `ID/B`, or in `details` of `ID`."""
    return StoredJudge(path, read_scores(path))


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

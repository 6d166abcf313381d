"""`reward@stored:FILE`, `reward@stored:FILE#JUDGE`: scores that are written down already."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any, Literal

from assize.base.conversation import Pair
from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.formats import read
from assize.judging.judge import JudgeContext, Task, identical, judge_one, tied
from assize.judging.judges.pointwise import Rated, preferred

VERSION = 1
_HEAD = "reward@"


@dataclass(frozen=True)
class StoredJudge:
    """Compares scores that are there already."""

    path: str  # where they stand
    scores: Mapping[str, float]  # by `ID/A` and `ID/B`
    given: str | None = None  # the judge that gave them, where one of several was chosen

    kind: JudgeKind = "metric"
    needs_model: Literal[False] = False
    takes: tuple[type, ...] = (Pair,)
    questions: tuple[Question, ...] = (PREFERENCE,)
    rows_vary: bool = False
    sees_order: bool = False

    @property
    def name(self) -> str:
        """`reward@stored:FILE`, without the folder; with `#JUDGE` where one was chosen."""
        chosen = "" if self.given is None else f"#{self.given.removeprefix(_HEAD)}"
        return f"{_HEAD}stored:{Path(self.path).name}{chosen}"

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


def open_stored(target: str, context: JudgeContext) -> StoredJudge:
    """The judge that compares stored scores: of `ID/A` and `ID/B`, or in `details` of `ID`.

    Args:
        target: `FILE`, or `FILE#JUDGE` where it holds scores by several: a name in full, or
            enough of it to tell.
    """
    path, named = _parted(target)
    by_judge = scores_by_judge(path)
    if named is None:
        return StoredJudge(path, _merged(by_judge, path))
    judge = _chosen(named, list(by_judge), path)
    return StoredJudge(path, by_judge[judge], judge)


def read_scores(path: str) -> dict[str, float]:
    """The scores of a file by `ID/A` and `ID/B`.

    Raises:
        ConfigError: it holds none, or those of several judges for one response.
    """
    return _merged(scores_by_judge(path), path)


def scores_by_judge(path: str) -> dict[str, dict[str, float]]:
    """The scores of a file by judge, in order of appearance, and by `ID/A` and `ID/B`.

    Raises:
        ConfigError: there is no score, or a judge gave two to one response.
    """
    place = Path(path)
    found: dict[str, dict[str, float]] = {}
    for row in read(place / "judgments.jsonl" if place.is_dir() else path).records():
        if not isinstance(row, Judgment) or row.turn is not None or row.unscored is not None:
            continue
        for name, score in _scores(row).items():
            own = found.setdefault(row.judge, {})
            if own.setdefault(name, score) != score:
                raise ConfigError(f"{path} holds two scores for {name} by {row.judge}; keep one")
    if not found:
        raise ConfigError(
            f"{path} holds no score; it needs judgments of ID/A and ID/B with a `score`,"
            ' or `details` of {"scores": {"A": .., "B": ..}}'
        )
    return found


def _merged(by_judge: Mapping[str, Mapping[str, float]], path: str) -> dict[str, float]:
    """The scores of all judges, who must not have scored one response twice."""
    found: dict[str, float] = {}
    for scores in by_judge.values():
        for name, score in scores.items():
            if found.setdefault(name, score) != score:
                raise ConfigError(f"{path} holds scores by several judges; {_listed(by_judge)}")
    return found


def _listed(judges: Collection[str]) -> str:
    """What to write for one of several.

    >>> _listed(["reward@hf:a", "reward@hf:b"])
    'name one as reward@stored:FILE#JUDGE; there are hf:a, hf:b'
    """
    names = ", ".join(name.removeprefix(_HEAD) for name in judges)
    return f"name one as reward@stored:FILE#JUDGE; there are {names}"


def _chosen(named: str, judges: Sequence[str], path: str) -> str:
    """The one judge that is called so, or whose name alone holds these characters."""
    full = [one for one in judges if named in (one, one.removeprefix(_HEAD))]
    found = full or [one for one in judges if named and named in one]
    if len(found) != 1:
        problem = "several judges" if found else "no judge"
        raise ConfigError(f"{path} holds scores by {problem} called {named!r}; {_listed(judges)}")
    return found[0]


def _parted(target: str) -> tuple[str, str | None]:
    """The file, and the judge behind its `#`; a file's own name may hold one.

    >>> _parted("rewards.jsonl#hf:QRM"), _parted("rewards.jsonl")
    (('rewards.jsonl', 'hf:QRM'), ('rewards.jsonl', None))
    """
    if Path(target).exists():
        return target, None
    ends = [at for at, mark in enumerate(target) if mark == "#"]
    known = [at for at in ends if Path(target[:at]).exists()]
    at = next(iter(known or ends), None)
    return (target, None) if at is None else (target[:at], target[at + 1 :])


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

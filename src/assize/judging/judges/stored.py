"""`reward@stored:FILE`, `reward@stored:FILE#JUDGE`: scores that are written down already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any

from assize.base.conversation import Pair
from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.formats import read
from assize.judging.judge import AsksNoModel, JudgeContext, Task, identical, tied
from assize.judging.judges.scores import preferred

VERSION = 1
_HEAD = "reward@"


@dataclass(frozen=True)
class StoredJudge(AsksNoModel):
    """Compares scores that are there already."""

    path: str  # where they stand
    scores: Mapping[str, float]  # by `ID/A` and `ID/B`
    given: str | None = None  # the judge that gave them, where one of several was chosen

    kind: JudgeKind = "metric"
    takes: tuple[type, ...] = (Pair,)
    questions: tuple[Question, ...] = (PREFERENCE,)

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

    def _rated(self, task: Task, side: str) -> Judgment:
        name = f"{task.item.id}/{side}"
        score = self.scores.get(name)
        missing = Unscored("missing", f"{self.path} holds no score") if score is None else None
        return Judgment(name, self.name, PREFERENCE.id, score=score, unscored=missing)


def open_stored(target: str, context: JudgeContext) -> StoredJudge:
    """The judge that compares stored scores: of `ID/A` and `ID/B`, or in `details` of `ID`.

    Args:
        target: `FILE`, or `FILE#JUDGE` where it holds scores by several: a name in full, or
            enough of it to tell.
    """
    path, named = target, None
    if not Path(target).exists():  # a file's own name may hold a `#`
        places = [index for index, mark in enumerate(target) if mark == "#"]
        known = [index for index in places if Path(target[:index]).exists()]
        for index in (known or places)[:1]:
            path, named = target[:index], target[index + 1 :]
    if named is None:
        return StoredJudge(path, read_scores(path))
    by_judge = scores_by_judge(path)
    full = [one for one in by_judge if named in (one, one.removeprefix(_HEAD))]
    found = full or [one for one in by_judge if named and named in one]
    if len(found) != 1:
        problem = "several judges" if found else "no judge"
        raise _ambiguous(path, f"{problem} called {named!r}", by_judge)
    return StoredJudge(path, by_judge[found[0]], found[0])


def read_scores(path: str) -> dict[str, float]:
    """The scores of a file by `ID/A` and `ID/B`.

    Raises:
        ConfigError: it holds none, or those of several judges for one response.
    """
    by_judge = scores_by_judge(path)
    found: dict[str, float] = {}
    for scores in by_judge.values():
        for name, score in scores.items():
            if found.setdefault(name, score) != score:
                raise _ambiguous(path, "several judges", by_judge)
    return found


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


def _ambiguous(path: str, problem: str, judges: Iterable[str]) -> ConfigError:
    names = ", ".join(name.removeprefix(_HEAD) for name in judges)
    return ConfigError(
        f"{path} holds scores by {problem}; name one as reward@stored:FILE#JUDGE; there are {names}"
    )


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

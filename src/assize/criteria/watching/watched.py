"""What watching quality over time comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from assize.criteria.criterion import Labelling
from assize.formats.times import Period, day_of
from assize.results import Result, ResultTable
from assize.results.types import Estimate
from assize.stats.change_points import ChangePoint, ChangePoints
from assize.stats.estimate import nullable

_NAMED = 20  # conversations without a time that JSON names


@dataclass(frozen=True, slots=True)
class PeriodFigures:
    """One question in one period.

    Args:
        mean: with its interval; whole clusters are the independent units.
        holds: share of conversations for which a criterion holds; None of other questions.
        labels: by label, share of all conversations; {} where no window was learnt.
    """

    n: int
    unscored: int
    mean: Estimate
    holds: Estimate | None = None
    labels: Mapping[str, Estimate] | None = None


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest period against all before it.

    Args:
        difference: its mean less theirs.
        p_value: of no difference, corrected over questions.
        verdict: `worse`, `better` or "" where the two cannot be told apart.
    """

    before: Estimate
    now: Estimate
    difference: Estimate
    p_value: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Series:
    """One question over time.

    Args:
        id: of the question.
        text: what it asks, or asserts.
        kind: `SAT` or `DSAT`; "" for what is no criterion.
        group: of conversations; "" where all are taken together.
        higher: what a higher value is.
        range: least and greatest value, where the question says.
        periods: one for each of the result's periods, None where there is no conversation.
        found: changes of the mean.
        latest: None where there are fewer than two periods.
    """

    id: str
    text: str
    kind: str
    group: str
    higher: str
    range: tuple[float, float] | None
    periods: Sequence[PeriodFigures | None]
    found: ChangePoints
    latest: Latest | None

    @property
    def changes(self) -> Sequence[ChangePoint]:
        """In the order of time."""
        return self.found.changes

    def verdict(self, difference: float) -> str:
        """Whether a difference is for the better or the worse."""
        return "better" if (difference > 0) == (self.higher == "better") else "worse"

    def to_json(self) -> dict[str, Any]:
        """Figures by period, changes, and the latest period."""
        return {
            "question": self.id,
            "text": self.text,
            "kind": self.kind or None,
            "group": self.group or None,
            "higher": self.higher,
            "periods": [None if one is None else _period(one) for one in self.periods],
            "change": {**self.found.test.to_json(), "p_corrected": nullable(self.found.p_value)},
            "changes": [self._change(one) for one in self.changes],
            "latest": None
            if self.latest is None
            else {
                "before": self.latest.before.to_json(),
                "now": self.latest.now.to_json(),
                "difference": self.latest.difference.to_json(),
                "p_corrected": nullable(self.latest.p_value),
                "verdict": self.latest.verdict or None,
            },
        }

    def _change(self, one: ChangePoint) -> dict[str, Any]:
        return {
            "at": day_of(one.at),
            "interval": [day_of(end) for end in one.interval],
            "before": one.before.to_json(),
            "after": one.after.to_json(),
            "difference": one.difference.to_json(),
            "p_corrected": nullable(one.p_value),
            "verdict": self.verdict(one.difference.estimate),
        }


def _period(one: PeriodFigures) -> dict[str, Any]:
    value: dict[str, Any] = {"n": one.n, "unscored": one.unscored, "mean": one.mean.to_json()}
    if one.holds is not None:
        value["holds"] = one.holds.to_share()
    if one.labels:
        value["labels"] = {name: share.to_share() for name, share in one.labels.items()}
    return value


@dataclass(frozen=True, slots=True)
class Watched(Result):
    """Quality over time.

    Args:
        series: groups one after the other, and in each the questions in their order, NetSAT
            first.
        periods: that hold any conversation.
        every: what a period is.
        by: the field that groups conversations; "" for none.
        labelling: threshold and window of NetSAT; None where none was learnt.
        untimed: why conversations that were judged have no time, by id; they are left out.
        level: chance of a false change in any question.
        fail_on_drop: whether a drop ends the command with 1.
        told: what a reader should know.
        signature: of what could change the numbers.
    """

    tables_from = "assize.criteria.watching.watched_tables:watched_tables"

    series: Sequence[Series]
    periods: Sequence[Period]
    every: str
    by: str
    labelling: Labelling | None
    untimed: Mapping[str, str]
    level: float
    fail_on_drop: bool
    told: Sequence[str]
    signature: str

    @property
    def groups(self) -> Sequence[str]:
        """Of conversations, in the order of their names; one that is "" for all together."""
        return list(dict.fromkeys(one.group for one in self.series))

    @property
    def changed(self) -> Sequence[Series]:
        """Questions whose mean changed at some date."""
        return [one for one in self.series if one.changes]

    def by_period(self, question: str) -> ResultTable:
        """A question's mean, and of a criterion how often it holds, in each period."""
        table: ResultTable = import_module(self.tables_from.partition(":")[0]).by_period(
            self, question
        )
        return table

    @property
    def dropped(self) -> Sequence[Series]:
        """Questions on which the latest period is worse than those before it."""
        return [
            one for one in self.series if one.latest is not None and one.latest.verdict == "worse"
        ]

    @property
    def missing(self) -> tuple[int, int]:
        """How many conversations are unscored on a question, and of how many, over all of them."""
        seen = [one for series in self.series for one in series.periods if one is not None]
        return sum(one.unscored for one in seen), sum(one.n for one in seen)

    @property
    def alarm(self) -> str | None:
        """What `--fail-on-drop` says; None where nothing dropped, or nobody asked."""
        if not (self.fail_on_drop and self.dropped):
            return None
        names = ", ".join(f"{one.group} {one.text}".strip() for one in self.dropped)
        return f"worse than before, latest {self.period} (from {self.periods[-1].name}): {names}"

    @property
    def period(self) -> str:
        """As a sentence names one."""
        return self.every if not self.every.isdecimal() else f"{self.every} conversations"

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know."""
        return self.told

    @property
    def lines(self) -> Sequence[str]:
        """The signature."""
        return [f"signature {self.signature}"]

    def to_json(self) -> dict[str, Any]:
        """Periods, each question over them with its changes, and what dropped."""
        untimed = dict(list(self.untimed.items())[:_NAMED])
        return {
            "every": self.every,
            "by": self.by or None,
            "level": self.level,
            "periods": [{"name": one.name, "n": one.n} for one in self.periods],
            "series": [one.to_json() for one in self.series],
            "changed": [{"question": one.id, "group": one.group or None} for one in self.changed],
            "dropped": [{"question": one.id, "group": one.group or None} for one in self.dropped],
            "without_time": {"n": len(self.untimed), "reasons": untimed},
            "notes": list(self.told),
            "signature": self.signature,
        }

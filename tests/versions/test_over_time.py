"""From judgments and times to periods, changes and the latest period."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.versions.drifting import BREAKS, FIRST, SET, drifting

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.criteria._criterion import CriteriaSet
from assize.formats.times import times_of
from assize.judgments import JudgmentTable
from assize.stats._resampling import JACKKNIFE
from assize.stats._statistics import StatisticsSettings
from assize.versions.options import OverTime
from assize.versions.over_time import measure_drift

CHATS, TABLE = drifting(900, drop=2.0)
TIMES = times_of(CHATS, "started")
FAST = StatisticsSettings(permutations=499)
OVER = OverTime("started")


def watched(table: JudgmentTable = TABLE, **given: Any) -> Any:
    how = {"times": TIMES, "over": OVER, "given": SET, "how": FAST, **given}
    return measure_drift(table, **how)


WHOLE = watched()


def test_the_criterion_that_broke_is_found_with_its_day_and_netsat_with_it() -> None:
    assert [row.id for row in WHOLE.changes] == ["NetSAT", "s2"]
    change = WHOLE.changes[1]
    broke = str((FIRST + np.timedelta64(BREAKS, "D")).astype("datetime64[D]"))
    assert change.earliest <= broke <= change.latest
    assert change.change.estimate == pytest.approx(-4.3, abs=0.5)
    assert change.verdict == "worse"
    assert [row.id for row in WHOLE.latest if row.verdict == "worse"] == ["NetSAT", "s2"]


def test_a_rise_of_what_speaks_against_satisfaction_is_worse() -> None:
    (d1,) = [one for one in WHOLE.series if one.id == "d1"]
    assert d1.kind == "DSAT"
    assert (d1.verdict(1.0), d1.verdict(-1.0)) == ("worse", "better")


def test_intervals_follow_the_confidence_and_are_named_with_it() -> None:
    sure = watched(how=StatisticsSettings(replace(JACKKNIFE, confidence=0.99), 499))

    def widths(result: Any) -> list[float]:
        change, latest, period = result.changes[0], result.latest[0], result.by_period[0]
        figures = (change.before, change.change, latest.now, latest.change, period.mean)
        ends = [figure.interval for figure in (*figures, period.good)]
        days = np.array([change.earliest, change.latest], dtype="datetime64[D]").astype(int)
        return [high - low for low, high in ends] + [float(days[1] - days[0])]

    wider = [after > before for before, after in zip(widths(WHOLE), widths(sure), strict=True)]
    assert wider == [True] * len(wider)
    assert "Intervals are 95%." in str(WHOLE)
    assert "Intervals are 99%." in str(sure)


def test_periods_hold_all_conversations_and_count_the_unscored() -> None:
    net = WHOLE.series[0]
    figures = [one for one in net.periods if one is not None]
    assert (len(WHOLE.periods), sum(one.n for one in WHOLE.periods)) == (12, 900)
    assert sum(one.n for one in figures) == 900
    assert sum(one.unscored for one in figures) == 10  # one of each 97
    assert net.found.test.unscored == 10


def test_labels_of_a_period_are_shares_of_all_its_conversations() -> None:
    first = WHOLE.series[0].periods[0]
    counts = [share.count for share in (first.good, first.open, first.bad)]
    assert sum(counts) + first.unscored == first.n
    rows = TABLE.where(question="NetSAT", item=[c.id for c in CHATS[: first.n]])
    assert counts[0] == sum(row.score is not None and row.score > 6 for row in rows)


def test_a_criterion_holds_from_agree_on() -> None:
    first = WHOLE.series[1].periods[0]
    rows = TABLE.where(question="s1", item=[c.id for c in CHATS[: first.n]])
    said = [row.answer in ("Agree", "Strongly Agree") for row in rows]
    assert (first.holds.count, first.holds.n) == (sum(said), len(said))


def test_without_a_set_every_question_with_numbers_is_watched() -> None:
    rows = [Judgment(one.id, "ann", "kind", answer=str(at % 5)) for at, one in enumerate(CHATS)]
    asked = Question("kind", kind="ordinal", answers=tuple("01234"), higher="better")
    found = watched(JudgmentTable.of(rows, [asked]), given=None)
    (series,) = found.series
    assert (series.id, series.kind, found.changed) == ("kind", "", 0)
    assert series.periods[0].holds is None


def test_intervals_end_where_the_scale_does() -> None:
    few = CHATS[:3]
    rows = [Judgment(one.id, "ann", "kind", score=float(at > 0)) for at, one in enumerate(few)]
    asked = Question("kind", kind="number", range=(0.0, 1.0), higher="better")
    (series,) = watched(JudgmentTable.of(rows, [asked]), given=None).series
    assert series.periods[0].mean.interval == (0.0, 1.0)


def test_groups_are_watched_by_themselves_and_corrected_together() -> None:
    groups = {one.id: str(one.system) for one in CHATS}
    found = watched(groups=groups, questions=["s2"])
    assert found.groups == ["a", "b"]
    assert [one.found.test.n for one in found.series] == [450, 450]
    assert all(one.changes for one in found.series)
    p = sorted(one.found.test.p_value for one in found.series)
    assert min(one.found.p_value for one in found.series) == pytest.approx(2 * p[0])


def test_clusters_are_the_independent_units() -> None:
    users = {one.id: str(one.metadata["user"]) for one in CHATS[:800]}
    found = watched(clusters=users, questions=["s2"]).series[0]
    assert found.found.test.clusters == len(set(users.values())) + 100


def test_several_judges_are_averaged_and_that_is_said() -> None:
    other = [replace(row, judge="other") for row in TABLE.where(question="s2")]
    found = watched(JudgmentTable.of([*TABLE, *other], SET.questions), questions=["s2"])
    assert found.series[0].found.test.n == 900
    assert "2 judges are averaged" in "".join(found.notes)


def test_another_signature_of_one_judge_is_said() -> None:
    rows = [replace(row, signature="one" if at < 2000 else "two") for at, row in enumerate(TABLE)]
    found = watched(JudgmentTable.of(rows, SET.questions), questions=["s1"])
    assert "different signatures" in "".join(found.notes)
    assert not any("signatures" in note for note in WHOLE.notes)


def test_conversations_without_a_time_are_left_out_and_named() -> None:
    times = replace(
        TIMES,
        at={k: v for k, v in TIMES.at.items() if k != "chat-1"},
        missing={"chat-1": "unreadable: 'soon'"},
    )
    found = watched(times=times, questions=["s2"])
    assert "chat-1 (unreadable: 'soon')" in found.notes[0]
    assert sum(one.n for one in found.periods) == 899


def test_one_period_has_no_latest() -> None:
    assert watched(over=OverTime("started", 1000), questions=["s1"]).latest == []


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"questions": ["s9"]}, ConfigError, "no judgment answers 's9'; asked were NetSAT, s1"),
        (
            {"times": replace(TIMES, at={"x": 0.0})},
            DataError,
            "none of the 900 judged conversations has a time",
        ),
        (
            {
                "table": TABLE.where(question="s1"),
                "given": CriteriaSet("x", SET.criteria[1:]),
            },
            DataError,
            "no judgment is about NetSAT or a criterion",
        ),
    ],
)
def test_what_cannot_be_watched_is_refused(
    more: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        watched(**more)

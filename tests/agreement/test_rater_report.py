"""Each rater beside the others: parts in alpha, marks, speed, gold, sources."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from assize import stats
from assize.agreement import RaterReport, report_raters
from assize.agreement.rater_report import alpha_parts, matrix, measure_raters
from assize.base.conversation import Continuation, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.judgments.answers import columns

FIVE = ("1", "2", "3", "4", "5")
CLEAR = Question("clear", "Is it clear?", "ordinal", FIVE, tuple(map(float, FIVE)))
PART = Question("part", "Which part is worst?", "nominal", ("start", "middle", "end"))


def answers(rows: Mapping[tuple[str, str], str], question: Question = CLEAR) -> JudgmentTable:
    made = [
        Judgment(item, rater, question.id, answer=answer, kind="person")
        for (item, rater), answer in rows.items()
    ]
    return JudgmentTable.of(made, [question])


def study(
    *,
    raters: int = 6,
    overlap: int = 3,
    items: int = 150,
    seed: int = 0,
    odd: Mapping[str, float] = MappingProxyType({}),
) -> RaterReport:
    """Ratings of simulated raters, of whom r0 may be odd: careless, offset, pace."""
    rng, rows = np.random.default_rng(seed), []
    for item in range(items):
        truth = rng.normal(3, 1.2)
        for rater in rng.choice(raters, overlap, replace=False).tolist():
            own = dict(odd) if rater == 0 else {}
            answer = truth + rng.normal(0, 0.8) + own.get("offset", 0)
            if rng.random() < own.get("careless", 0):
                answer = float(rng.integers(1, 6))
            seconds = {"seconds": float(own.get("pace", 1) * rng.lognormal(4, 0.4))}
            said = str(int(np.clip(round(answer), 1, 5)))
            row = Judgment(
                f"i{item}", f"r{rater}", "clear", answer=said, kind="person", details=seconds
            )
            rows.append(row)
    return measure_raters(JudgmentTable.of(rows, [CLEAR]))


def marked(report: RaterReport) -> set[str]:
    return {mark.rater for mark in report.marks}


@pytest.mark.parametrize("asked", [CLEAR, PART, Question("n", kind="number", range=(0, 9))])
def test_the_mean_of_all_parts_is_alpha(asked: Question) -> None:
    rng = np.random.default_rng(3)
    rows = {
        (f"i{item}", f"r{rater}"): str(rng.choice(asked.answers or tuple("123456789")))
        for item in range(30)
        for rater in range(5)
        if rng.random() < 0.6
    }
    found = columns(answers(rows, asked), asked.id)
    values = matrix(found, list(found.by_judge))
    own, _ = alpha_parts(values, "ordinal")
    assert np.nanmean(own) == pytest.approx(stats.alpha(values, level="ordinal").estimate)


def test_parts_of_three_answers_by_hand() -> None:
    # i has start, start, end; j has middle twice. Of 5 answers 2 start, 1 end, 2 middle:
    # 25 - 9 = 16 of 20 ordered pairs differ, so 0.8 is expected. Who said start differs from one of
    # two: 1 - 0.5 / 0.8. The others of who said end agree: 1.
    values = np.array([[0, 1], [0, 1], [2, np.nan]], dtype=float)
    own, others = alpha_parts(values, "nominal")
    assert own[:, 0].tolist() == pytest.approx([0.375, 0.375, -0.25])
    assert own[:2, 1].tolist() == pytest.approx([1, 1])
    assert others[:, 0].tolist() == pytest.approx([-0.25, -0.25, 1])
    assert np.isnan(others[:, 1]).all()


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        ({"careless": 0.9}, "less with the others than they do among themselves"),
        ({"offset": 1.2}, "higher than the others"),
        ({"pace": 0.2}, "times the others' time"),
    ],
)
def test_a_rater_who_is_odd_is_marked_and_nobody_else(odd: dict[str, float], words: str) -> None:
    report = study(odd=odd)
    assert {mark.rater for mark in report.marks if words in mark.mark} == {"r0"}


def test_a_careless_rater_is_marked_where_items_have_two_raters() -> None:
    assert "r0" in marked(study(raters=8, overlap=2, items=400, odd={"careless": 0.9}))


def test_raters_who_are_alike_are_seldom_marked_and_few_items_mark_nobody() -> None:
    alarms = sum(bool(marked(study(items=60, seed=seed))) for seed in range(20))
    assert alarms <= 7  # three kinds of mark at 5% each: 3 of 20; 8 have a chance below 1 in 100
    assert not marked(study(items=8, overlap=3, odd={"careless": 1.0}))


def test_a_row_says_agreement_and_speed() -> None:
    slow: Any = next(row for row in study(odd={"pace": 3}).rows if row.rater == "r0")
    assert slow.speed.interval[0] < 3 < slow.speed.interval[1]
    assert slow.gold is None
    assert slow.agreement.n == slow.n > 50


def test_how_many_of_the_raters_agree_by_hand() -> None:
    # Of five: i all, j four, k three and l three, where another two agree as well; m of two: both.
    said = {"i": "11111", "j": "11112", "k": "11123", "l": "11122", "m": "33"}
    rows = {(item, f"r{at}"): one for item, whole in said.items() for at, one in enumerate(whole)}
    sizes = measure_raters(answers(rows)).sizes
    assert [(row.raters, row.largest, row.items.estimate, row.items.n) for row in sizes] == [
        (5, 5, 0.25, 4),
        (5, 4, 0.25, 4),
        (5, 3, 0.5, 4),
        (2, 2, 1.0, 1),
    ]


def test_disputed_answers_have_labels_and_a_hint_says_how_to_see_all_of_them() -> None:
    solved = Question("solved", "", "binary", ("1", "2"), (1, 2), {"1": "no", "2": "yes"})
    rows = {
        (f"i{at}", name): answer for at in range(31) for name, answer in (("a", "1"), ("b", "2"))
    }
    table = JudgmentTable.concat([answers(rows, solved), answers(rows)])
    report = report_raters(table)
    assert {row.answers for row in report.disputed} == {"a 1: no, b 2: yes", "a 1, b 2"}
    hint = "To see further rows: --question Q shows those of one question, --json has all."
    assert [*report.tables["disputed"].sentences] == [hint, "32 further rows are not shown."]
    alone = report_raters(table, question="solved")
    assert {row.question for row in alone.disputed} == {"solved"}
    assert alone.tables["disputed"].sentences[0] == "To see further rows: --json has all."
    few = report_raters(table.where(item=["i1", "i2"]))
    assert not few.tables["disputed"].sentences
    with pytest.raises(ConfigError, match="no question 'gone'; asked were solved, clear"):
        report_raters(table, question="gone")


def test_gold_is_held_to_the_answers_to_checked_items() -> None:
    gold = [Judgment(f"g{at}", "gold", "clear", answer="3") for at in range(12)]
    checks = [
        Judgment(
            f"g{at}",
            name,
            "clear",
            answer="3" if name == "a" else "2",
            kind="person",
            details={"chosen": "gold"},
        )
        for at in range(12)
        for name in "ab"
    ]
    plain = [Judgment(i, name, "clear", answer=i, kind="person") for i in "24" for name in "ab"]
    report = report_raters([*gold, *checks, *plain])
    shares = {row.rater: row.gold for row in report.rows}
    assert [shares["a"].estimate, shares["b"].estimate] == [1, 0]  # type: ignore[union-attr]
    assert marked(report) == {"b"}
    assert report.rows[0].n == 2  # ordinary items
    assert (report.missed[0].expected, report.missed[0].right.estimate) == ("3", 0.5)


def test_random_turns_that_are_rated_above_rephrased_ones_are_marked() -> None:
    items = [
        Continuation(f"{source}{at}", (Turn("user", "?"),), "!", source=source)
        for source in ("rephrase", "random", "bot")
        for at in range(12)
    ]
    said = {"rephrase": "2", "random": "4", "bot": "3"}
    rows = {(one.id, name): said[str(one.source)] for one in items for name in "ab"}
    report = measure_raters(answers(rows), items)
    assert {(row.source, row.mean.estimate) for row in report.sources} == {
        ("rephrase", 2.0),
        ("random", 4.0),
        ("bot", 3.0),
    }
    assert any("bot is rated 1.00 above rephrase" in mark.mark for mark in report.marks)
    assert any("bot is rated 1.00 below random" in mark.mark for mark in report.marks)

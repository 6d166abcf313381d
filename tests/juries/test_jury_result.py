"""What a jury shows, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.juries import Cascade, Jury, Panel, Reliability
from assize.juries.decide import decide
from assize.juries.jury_result import short_names

VOTES = {"x@m": "AABt", "y@m": "ABBA", "gold": "AAAA"}
WORDS = {"A": "A", "B": "B", "t": "tie"}


def sat(composition: Jury, *judges: str) -> Any:
    """What a jury over these votes comes to."""
    rows = [
        Judgment(f"p{n}", judge, "preference", answer=WORDS[answer])
        for judge in judges
        for n, answer in enumerate(VOTES[judge])
    ]
    return decide(JudgmentTable.of(rows), composition)


def test_a_cascade_has_results_judges_and_paths() -> None:
    # x decides p0, p1 (win) and p2 (loss), and passes p3 on to y, which wins it
    result = sat(Cascade(("x", "y")), *VOTES)
    assert list(result.tables) == ["judges", "decided_by", "paths", "answers", "costs"]
    assert (result.n, result.unscored, result.a, result.b) == (4, 0, None, None)
    shares = result.win, result.tie, result.loss
    assert [share.count for share in shares] == [3, 0, 1]
    x, y = result.judges
    assert [share.estimate for share in (x.win, x.tie, x.loss)] == [0.5, 0.25, 0.25]
    assert (x.n, x.read, y.read, y.unscored) == (4, 4, 1, 0)
    _, last = result.decided_by
    assert (last.by, last.n, last.decided.estimate) == ("y@m", 1, 0.25)
    assert last.right.estimate == 1.0
    assert [(row.path, row.items.count) for row in result.paths] == [
        ("win", 2),
        ("loss", 1),
        ("tie-win", 1),
    ]
    assert result.sentence == "x > y is right on 3 of 4 items (preference)."
    assert "win" in result.headline


def test_a_judge_that_never_answers_is_named_and_decides_the_exit_code() -> None:
    reasons = ["parse", "refused", "parse"]
    rows = [
        Judgment(f"p{n}", "x@m", "preference", unscored=Unscored(reason))
        for n, reason in enumerate(reasons)
    ]
    rows += [Judgment(f"p{n}", "y@m", "preference", answer="A") for n in range(4)]
    result = decide(JudgmentTable.of(rows), Cascade(("x", "y")))
    assert result.unscored == 0
    assert result.notes[0] == (
        "x@m answered none of 3 items: unscored, most often for the reason 'parse'"
    )
    assert result.missing == (3, 3)


def test_a_judge_that_answers_once_is_not_named() -> None:
    rows = [
        Judgment("p0", "x@m", "preference", unscored=Unscored("parse")),
        Judgment("p1", "x@m", "preference", answer="A"),
        *(Judgment(f"p{n}", "y@m", "preference", answer="A") for n in range(4)),
    ]
    result = decide(JudgmentTable.of(rows), Cascade(("x", "y")))
    assert (result.notes, result.missing) == ([], (0, 4))


def test_without_gold_answers_are_counted_and_nothing_is_right() -> None:
    result = sat(Cascade(("x", "y")), "x@m", "y@m")
    assert (result.win, result.loss) == (None, None)
    assert [(row.answer, row.items.count) for row in result.answers] == [
        ("A", 3),
        ("tie", 0),
        ("B", 1),
        ("unscored", 0),
    ]
    shown = [column.name for column in result.tables["decided_by"].texts()[0]]
    assert shown == ["by", "items", "of all items", "unscored"]
    assert result.sentence == "x > y prefers A on 3 of 4 items (preference)."
    assert "win" not in result.to_json()


@pytest.mark.parametrize("jury", [Panel(), Reliability(), Cascade(("x", "y"))])
@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("person", "person", "person"),
        ("metric", "metric", "metric"),
        ("person", "model", "model"),
        ("person", None, "model"),
        (None, None, "model"),
    ],
)
def test_a_verdict_has_the_kind_of_all_members(
    jury: Jury, first: JudgeKind | None, second: JudgeKind | None, kind: str
) -> None:
    rows = [
        Judgment(f"p{n}", judge, question, answer="A", kind=of)
        for question in ("preference", "clarity")
        for judge, of in (("x@m", first), ("y@m", second))
        for n in range(3)
    ]
    clarity = replace(PREFERENCE, id="clarity")
    verdicts = decide(JudgmentTable.of(rows, [PREFERENCE, clarity]), jury).judgments()
    assert {row.kind for row in verdicts} == {kind}


def test_reliabilities_stand_with_their_intervals() -> None:
    result = sat(Reliability(), *VOTES)
    table = result.tables["reliabilities"]
    ((judge, *_), (alpha, ends), *_) = table.texts()[1][0]
    assert judge == "x@m"
    assert alpha.startswith("0.")
    assert ".." in ends
    assert any("gold is A everywhere" in note for note in result.notes)


@pytest.mark.parametrize(
    ("names", "short"),
    [(["a@m", "b@m"], ["a", "b"]), (["a@m", "a@n", "b@m"], ["a@m", "a@n", "b"])],
)
def test_names_are_short_where_that_tells_judges_apart(names: list[str], short: list[str]) -> None:
    assert list(short_names(names).values()) == short

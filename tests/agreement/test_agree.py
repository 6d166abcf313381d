"""Agreement between judges, of records in memory; figures are held in tests/agreement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conversations import pair, votes

import assize
from assize import Cascade, Conversation, Judgment, Statistics, Turn
from assize.agreement import Audit, CloserToGold
from assize.base.errors import AssizeError, ConfigError
from assize.formats import to_json

ROWS = [
    Judgment(f"i{n}", judge, "clear", score=float(n + (judge == "ann") * (n % 2)), kind=kind)  # type: ignore[arg-type]
    for n in range(8)
    for judge, kind in (("ann", "person"), ("bob", "person"), ("bot", "model"))
]


def test_three_lines_of_a_notebook() -> None:
    found = assize.agree(ROWS, gold="people")
    assert {row["question"] for row in found.to_json()["judges"]} == {"clear"}
    assert "<table" in found._repr_html_()
    assert found.to_json()["signature"] == found.signature
    assert found.lines[0].startswith("agree=clear|")


def test_a_table_dicts_and_a_file_give_the_same(tmp_path: Path) -> None:
    table = assize.JudgmentTable.of(ROWS)
    assize.write(tmp_path / "rows.jsonl", ROWS)
    given: list[Any] = [table, table.to_pandas(), [to_json(row) for row in ROWS]]
    wanted = assize.agree(ROWS).to_json()["pairs"]
    for one in [*given, str(tmp_path / "rows.jsonl"), [tmp_path / "rows.jsonl"]]:
        assert assize.agree(one).to_json()["pairs"] == wanted


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"question": "kind"}, "no question 'kind'; asked were clear"),
        ({"judges": ["eve"]}, "no judge 'eve' among these judgments"),
        ({"compare": ("ann", "bob")}, "compare needs gold"),
        ({"compare": ("ann", "ann"), "gold": "bob"}, "ann would be compared with itself"),
        ({"compare": ("ann", "bob"), "gold": "bob"}, "bob would be compared with itself"),
        ({"votes": "often"}, "votes often: allowed are agree and mean"),
        ({"judges": 3}, "received 3"),
    ],
)
def test_what_cannot_be_is_said(how: Any, said: str) -> None:
    with pytest.raises(AssizeError, match=said):
        assize.agree(ROWS, **how)


def test_several_comparisons_are_adjusted_and_said() -> None:
    more = [Judgment(row.item, row.judge, "kind", score=row.score, kind=row.kind) for row in ROWS]
    few = Statistics(permutations=50)
    found = assize.agree(ROWS + more, compare=("ann", "bob"), gold="bot", statistics=few)
    least, most = sorted(row.test.p_value for row in found.comparisons)
    assert sorted(row.p_holm or 0 for row in found.comparisons) == pytest.approx(
        [min(1, 2 * least), min(1, max(2 * least, most))]
    )


def test_two_judges_are_compared_by_a_measure_of_ones_own() -> None:
    closer = CloserToGold(("ann", "bob"), measure="mae")
    (row,) = assize.agree(ROWS, compare=closer, gold="bot").comparisons
    assert (row.first, row.second, row.measure) == ("ann", "bob", "mae")
    (usual,) = assize.agree(ROWS, compare=("ann", "bob"), gold="bot").comparisons
    assert usual.measure == "spearman"


def test_an_audit_names_the_systems_that_judges_are() -> None:
    items = [
        Conversation(f"i{n}", (Turn("assistant", "x" * (n + 1)),), system="ab"[n % 2])
        for n in range(8)
    ]
    plain = {row.audit for row in assize.agree(ROWS, items=items, audit=True).audits}
    audit = Audit(own={"bot": "a"})
    own = {row.audit for row in assize.agree(ROWS, items=items, audit=audit).audits}
    assert own - plain == {"advantage of its own"}
    assert not assize.agree(ROWS, items=items).audits


def test_labels_of_conversations_are_gold(tmp_path: Path) -> None:
    labels = {f"i{n}": n >= 4 for n in range(8)}
    found = assize.agree(ROWS, label=labels, judges="ann,bot")
    pairs = {(one.first, one.second) for one in found.pairs}
    assert pairs >= {("ann", "gold"), ("bot", "gold")}
    path = tmp_path / "labels.csv"
    path.write_text("id,label\n" + "".join(f"i{n},{int(n >= 4)}\n" for n in range(8)))
    again = assize.agree(ROWS, label=str(path), judges="ann,bot")
    assert again.pairs == found.pairs


def test_labels_without_a_question_of_numbers_are_refused() -> None:
    rows = [Judgment("i", "a", "q", answer="left"), Judgment("j", "a", "q", answer="right")]
    with pytest.raises(ConfigError, match="no question here has numbers"):
        assize.agree(rows, label={"i": 1, "j": 0})


def test_labels_of_two_values_have_auc_and_average_precision() -> None:
    rows = [
        assize.Judgment(f"i{n}", "bot", "overall", score=float(value), kind="model")
        for n, value in enumerate((4, 3, 2, 1))
    ]
    found = assize.agree(rows, label={"i0": 1, "i1": 0, "i2": 1, "i3": 0})
    (pair,) = found.to_json()["pairs"]
    assert pair["auc"]["estimate"] == 0.75  # 4 > 3, 4 > 1, 2 > 1 of four pairs
    assert pair["average_precision"]["estimate"] == pytest.approx(5 / 6)
    assert "AUC" in str(found.tables["pairs"])


def test_a_field_of_numbers_is_held_against_scores_by_rank() -> None:
    rows = [
        assize.Judgment(f"i{n}", "bot", "overall", score=value, kind="model")
        for n, value in enumerate((0.9, 0.5, 0.7, 0.1))
    ]
    found = assize.agree(rows, label={"i0": 5, "i1": 2, "i2": 4, "i3": 1})
    (pair,) = found.to_json()["pairs"]
    assert (pair["second"], pair["spearman"]["estimate"]) == ("gold", 1.0)


def votes_of_io(count: int) -> list[Judgment]:
    """A judge's votes for A and for B in turn."""
    return [
        vote
        for number in range(count)
        for vote in votes(f"p{number}", "io@scripted:m", "AB"[number % 2], "AB"[number % 2])
    ]


def test_gold_of_items_is_read_as_by_a_jury() -> None:
    items = [pair(f"p{n}", "A" if n % 4 else "B") for n in range(20)]
    found = assize.agree(votes_of_io(20), items=items).to_json()
    (against,) = found["pairs"]
    heard: Any = assize.jury(votes_of_io(20), Cascade("io"), items=items).outcome.jury
    counted = against["accuracy_with_tie"]
    assert (counted["n"], counted["estimate"]) == (heard.n, heard.counts["win"] / 20)


def test_an_items_own_gold_comes_before_that_of_the_judge_gold() -> None:
    said: dict[str, Any] = {"answer": "tie", "kind": "person"}
    stored = [Judgment(f"p{n}", "gold", "preference", **said) for n in range(9)]
    items = [pair(f"p{n}") for n in range(8)]
    table = assize.agree([*votes_of_io(9), *stored], items=items).judgments
    assert {row.answer for row in table.where(judge="gold")} == {"A"}


def test_judgments_of_other_items_than_those_given_do_not_count(caplog: Any) -> None:
    items = [pair(f"p{n}") for n in range(8)]
    assert len(assize.agree(votes_of_io(20), items=items).judgments.items) == 8
    assert "24 judgments of other items are left out" in caplog.text
    with pytest.raises(AssizeError, match="no judgment is of these items"):
        assize.agree(votes_of_io(3), items=[pair("p50")])


def test_a_short_name_does_wherever_a_full_one_does() -> None:
    items = [pair(f"p{n}") for n in range(8)]
    short = assize.agree(votes_of_io(8), items=items, judges="io").to_json()
    assert short == assize.agree(votes_of_io(8), items=items, judges="io@scripted:m").to_json()


def scaled(judge: str, factor: float, question: str = "clear") -> list[Judgment]:
    kind = "person" if judge == "ann" else "evaluator"
    return [
        Judgment(f"i{n}", judge, question, score=factor * (n % 4), kind=kind)  # type: ignore[arg-type]
        for n in range(12)
    ]


RATED = [Judgment(f"i{n}", "bob", "clear", answer=str(1 + n % 4), kind="person") for n in range(12)]
CLEAR = assize.Question("clear", kind="ordinal", answers=tuple("1234"), values=(1, 2, 3, 4))


def test_across_scales_under_one_name_only_ranks_are_compared() -> None:
    table = assize.JudgmentTable.of([*RATED, *scaled("ranks", 1 / 3)], [CLEAR])
    found = assize.agree(table)
    (pair,) = found.pairs
    assert set(pair.figures) == {"spearman", "kendall"}
    assert pair.figures["spearman"].estimate == pytest.approx(1)
    assert (found.overall, found.raters) == ([], [])
    assert found.notes[0].startswith("clear: judges answer on different scales: only rank")
    inside = [replace(row, score=1 + float(row.score or 0)) for row in scaled("ann", 0.5)]
    alike = assize.agree(assize.JudgmentTable.of([*RATED, *inside], [CLEAR]))
    assert alike.notes == []
    assert "mae" in alike.pairs[0].figures


def test_numbers_without_a_range_that_lie_apart_are_on_different_scales() -> None:
    apart = [replace(row, score=1 + float(row.score or 0)) for row in scaled("ann", 1)]
    found = assize.agree([*apart, *scaled("ranks", 1 / 3)])
    assert set(found.pairs[0].figures) == {"spearman", "kendall"}
    assert "mae" in assize.agree([*apart, *scaled("other", 1)]).pairs[0].figures


def test_questions_of_two_scales_read_as_one_give_ranks_only() -> None:
    rows = [*RATED, *scaled("bot", 1.0, "overall")]
    overall = assize.Question("overall", kind="number", range=(0, 10))
    table = assize.JudgmentTable.of(rows, [CLEAR, overall])
    found = assize.agree(table, same={"overall": "clear"})
    assert set(found.pairs[0].figures) == {"spearman", "kendall"}
    with pytest.raises(ConfigError, match="measure mae: judges answer clear on different scales"):
        assize.agree(
            assize.JudgmentTable.of([*rows, *scaled("ann", 1.0)], [CLEAR, overall]),
            same={"overall": "clear"},
            gold="bob",
            compare=CloserToGold(("bot", "ann"), measure="mae"),
        )

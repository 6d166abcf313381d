"""What measures agreement: answers to ordinary items, each person's first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import assize
from assize import Judgment
from assize.agreement.ordinary import ordinary_ratings
from assize.judgments import JudgmentTable

PEOPLE = ("ann", "bob", "cy")


def rating(item: str, judge: str, answer: int, chosen: str = "random") -> Judgment:
    """As the web app exports it."""
    details = {"seconds": 3.5, "version": 1, "chosen": chosen}
    return Judgment(item, judge, "warm", score=float(answer), kind="person", details=details)


def ordinary() -> list[Judgment]:
    """Raters who disagree: no two give the same answer to an item."""
    return [rating(f"c{n}", name, (n + k) % 5) for n in range(8) for k, name in enumerate(PEOPLE)]


def gold(chosen: str = "gold") -> list[Judgment]:
    """Three items that everybody gets right."""
    return [rating(f"g{n}", name, 2 * n, chosen) for n in range(3) for name in PEOPLE]


def alpha(rows: Sequence[Judgment], **more: object) -> float:
    return assize.agree(rows, **more).overall[0].estimate.estimate  # type: ignore[arg-type]


@pytest.mark.parametrize("chosen", ["gold", "example", "qualify"])
def test_checks_of_raters_do_not_count_and_a_note_says_how_many(chosen: str) -> None:
    found = assize.agree([*ordinary(), *gold(chosen)])
    assert found.overall[0].estimate.estimate == alpha(ordinary())
    assert found.overall[0].estimate.n == 8
    assert found.notes[0].startswith("9 answers to gold items")


def test_checks_count_where_they_are_asked_for() -> None:
    items = [assize.Conversation(f"g{n}", (assize.Turn("user", "Hi"),)) for n in range(3)]
    assert alpha(gold()) == 1
    assert alpha([*ordinary(), *gold()], items=items) == 1
    assert assize.agree(gold()).notes == []


def test_a_model_that_answers_gold_items_keeps_its_rows() -> None:
    bot = [Judgment(f"g{n}", "bot", "warm", score=1.0, kind="model") for n in range(3)]
    rows = [*ordinary(), *gold(), *bot]
    kept = ordinary_ratings(JudgmentTable.of(rows)).table
    assert [row.judge for row in kept if row.item.startswith("g")] == ["bot"] * 3


def test_a_persons_first_answer_counts_and_a_models_repeats_all_do() -> None:
    rows = [
        Judgment("i", "ann", "q", score=1.0, repeat=1, kind="person"),
        Judgment("i", "ann", "q", score=5.0, repeat=2, kind="person"),
        Judgment("i", "bob", "q", score=2.0, kind="person"),
        Judgment("i", "bot", "q", score=1.0, kind="model"),
        Judgment("i", "bot", "q", score=3.0, repeat=1, kind="model"),
    ]
    found = ordinary_ratings(JudgmentTable.of(rows))
    assert [(row.judge, row.score) for row in found.table] == [
        ("ann", 1.0),
        ("bob", 2.0),
        ("bot", 1.0),
        ("bot", 3.0),
    ]
    assert found.notes == [
        "1 later answer of people who rated an item again left out; their first counts"
    ]


def test_both_orders_of_a_pair_are_no_repeat() -> None:
    rows = [
        Judgment("p", "ann", "preference", answer="A", order="AB", kind="person"),
        Judgment("p", "ann", "preference", answer="A", order="BA", repeat=1, kind="person"),
    ]
    assert len(ordinary_ratings(JudgmentTable.of(rows)).table) == 2


def test_words_in_other_details_are_not_taken_for_it() -> None:
    rows = [
        Judgment(f"i{n}", "ann", "q", score=1.0, kind="person", details={"why": text})
        for n, text in enumerate(['he said "chosen": "gold"', "plain"])
    ]
    assert len(ordinary_ratings(JudgmentTable.of(rows)).table) == 2

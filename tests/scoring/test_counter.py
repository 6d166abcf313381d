from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assize.base.conversation import Conversation, ToolCall, Turn
from assize.base.judgment import PREFERENCE, Judgment, Question, Unscored, Usage
from assize.evaluator import Evaluator
from assize.evaluator._heads.scored_question import AnswerLine
from assize.evaluator._scoring import score_items
from assize.judgments import JudgmentTable
from assize.scoring.counter import (
    LOWEST,
    MOST_FAILURES,
    ScoreCounter,
    describe_scores,
    levels_of,
    summarise_judgments,
)

Talk = Callable[..., Conversation]


def row(item: str, score: float | None, **more: object) -> Judgment:
    unscored = Unscored("empty") if score is None else None
    return Judgment(item, "j", "overall", score=score, unscored=unscored, **more)  # type: ignore[arg-type]


Added = Iterable[tuple[Any, Sequence[Judgment]]]


def count(added: Added, questions: Sequence[Question] = (), **more: Any) -> Any:
    """The summary of items and their judgments."""
    counter = ScoreCounter(questions, **more)
    for item, rows in added:
        counter.add(item, rows)
    return counter.summary()


def count_scores(evaluator: Evaluator, added: Added, **more: Any) -> Any:
    """The summary of items that this evaluator has scored."""
    return count(added, evaluator.questions, evaluator=evaluator, **more)


def test_figures_by_hand(shipped: Evaluator, talk: Talk) -> None:
    values = {"a": 0.1, "b": 0.5, "c": 0.9, "d": None}
    added = [(talk(name, "a: hi"), [row(name, value)]) for name, value in values.items()]
    summary = count_scores(shipped, added)
    found = summary.questions["overall"]
    assert found.mean.estimate == pytest.approx(0.5)
    assert (found.mean.n, found.mean.unscored, found.q50) == (3, 1, 0.5)
    assert found.low.count == 1
    assert (summary.unscored, summary.items, summary.reasons) == (1, 4, {"empty": 1})


def test_what_scores_mean_stands_below_them_once_for_all_questions_of_one_scale(
    shipped: Evaluator, talk: Talk
) -> None:
    notes = count_scores(shipped, [(talk("a", "a: hi"), [row("a", 0.5)])]).tables["questions"].notes
    assert [*notes] == [
        "A score of 0.30 is better than 30% of the training data; 0 is worst, 1 is best."
        " low: 0.25 or less. Training data: reliable-eval, ieval, conture and 3 more."
    ]
    asked = {
        **shipped.scored,
        "specific": replace(shipped.scored["specific"], answers=AnswerLine(3.0, 1.0, 1.0, 4.0)),
    }
    several = describe_scores(replace(shipped, scored=asked))
    assert several[0].startswith("overall, engaging, coherent, empathetic: A score of 0.30 is")
    assert several[1] == (
        "specific: A score is the expected answer, from 1 (worst) to 4 (best). low: 1.75 or less."
        " Training data: conture."
    )
    assert not count([("a", [row("a", 0.5)])]).tables["questions"].notes


def test_the_lowest_come_first_and_are_few(shipped: Evaluator, talk: Talk) -> None:
    added = [
        (
            talk(str(number), "u: hi\nthere", "a: Thank you very much."),
            [row(str(number), (7 * number % 30) / 30)],
        )
        for number in range(3 * LOWEST)
    ]
    found = count_scores(shipped, added).lowest
    assert len(found) == LOWEST
    assert [one.score for one in found] == sorted(one.score for one in found)
    assert found[0].score == 0
    assert (found[0].begins, found[0].text) == ("hi there", None)


def test_turns_are_kept_apart_and_clustered_by_conversation(shipped: Evaluator, talk: Talk) -> None:
    added = [
        (
            talk(name, "a: hi"),
            [row(name, base), *(row(name, base + place / 100, turn=place) for place in range(5))],
        )
        for name, base in (("a", 0.2), ("b", 0.6), ("c", 0.7))
    ]
    summary = count_scores(shipped, added)
    assert summary.questions["overall"].mean.n == 3
    found = summary.turns["overall"].mean
    assert (found.n, found.clusters) == (15, 3)


def test_nothing_scored_is_null_and_not_zero(shipped: Evaluator, talk: Talk) -> None:
    summary = count_scores(shipped, [(talk("a"), [row("a", None)])])
    found = summary.to_json()["questions"]["overall"]
    assert found["mean"]["estimate"] is None
    assert found["q50"] is None
    assert (found["mean"]["n"], found["mean"]["unscored"]) == (0, 1)


def test_the_lowest_name_the_turns_that_pull_them_down(small: Evaluator, talk: Talk) -> None:
    item = talk("c", "u: abc", "a: aab", "u: abc", "a: eef", "u: abc", "a: aab")
    plain = talk("d", "u: abc", "a: eee")
    scored = score_items([item, plain], evaluator=small, explain=True)
    summary = count_scores(small, scored)
    low = {one.item: one for one in summary.lowest}
    assert (low["c"].turns, low["c"].begins, low["c"].text) == ("2-3", "abc", "eef")
    assert low["c"].effect < 0
    assert (low["d"].turns, low["d"].effect) == (None, None)
    assert "moved by" in str(summary.tables["lowest"])
    assert summary.tables["lowest"].notes[0].startswith("turns: those that lower the score most")
    assert not count_scores(small, score_items([plain], evaluator=small)).tables["lowest"].notes
    found = {one["item"]: one for one in summary.to_json()["lowest"]}
    assert found["c"]["turns"] == "2-3"
    assert "turns" not in found["d"]


def test_people_are_asked_about_the_share_that_is_most_urgent(small: Evaluator, talk: Talk) -> None:
    items = [talk(str(n), "u: abc", f"a: {'aab' if n % 2 else 'eef'}{n}") for n in range(11)]
    items.append(talk("odd", "u: fffffffff", "a: dddd", "u: dd", "a: ff"))
    scored = score_items(items, evaluator=small, doubt=True)
    summary = count_scores(small, scored, ask=0.25)
    found = summary.ask
    assert len(found) == 3
    assert "odd" in {one.item for one in found}
    assert [one.urgency for one in found] == sorted((one.urgency for one in found), reverse=True)
    assert [one["item"] for one in summary.to_json()["ask"]] == [one.item for one in found]
    assert len(summary.tables["ask"].rows) == 3
    assert "ask" not in count_scores(small, []).tables


def test_turns_of_tools_are_told_of(shipped: Evaluator) -> None:
    call = Turn("assistant", "", tool_calls=(ToolCall("t", "find"),))
    result = Turn("tool", "42", tool_call_id="t")
    chat = Conversation("c", (Turn("user", "hi"), call, result, Turn("assistant", "It is 42.")))
    summary = count_scores(shipped, score_items([chat, chat], evaluator=shipped))
    assert summary.to_json()["tool_turns"] == {"results": 2, "calls": 2, "items": 2}
    assert "2 tool results and 2 turns that only called tools passed over" in summary.notes[-1]
    assert "tool_turns" not in count_scores(shipped, []).to_json()


def number(item: str, value: float | None = None, **more: Any) -> Judgment:
    return Judgment(item, **{"judge": "j", "question": "overall", "score": value} | more)


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(0, 6), st.randoms())
@settings(max_examples=40, deadline=None)
def test_the_listing_is_what_sorting_everything_would_give(
    values: list[int], keep: int, rng: Any
) -> None:
    listing = rng.choice(["lowest", "highest", "closest", "decided"])
    rank: dict[str, Callable[[int], int]] = {
        "lowest": lambda v: v,
        "highest": lambda v: -v,
        "closest": abs,
        "decided": lambda v: -abs(v),
    }
    shifted = [value - 2 for value in values]
    added = [
        (str(place), [Judgment(str(place), "j", "q", score=value)])
        for place, value in enumerate(shifted)
    ]
    listed = count(added, [Question("q")], keep=keep, listing=listing).listed
    wanted = sorted(range(len(values)), key=lambda place: (rank[listing](shifted[place]), place))
    assert [int(str(one.item)) for one in listed] == wanted[:keep]


def test_nothing_at_all_is_no_error() -> None:
    summary = count([])
    assert (summary.items, summary.judge, summary.question) == (0, None, None)


@pytest.mark.parametrize(
    ("judged", "items", "values", "not_judged"),
    [
        pytest.param(
            {"a": 0.5, "z": 0.2}, "ab", [0.5, 0.2], 1, id="judgments without items count, too"
        ),
        pytest.param({"a": 0.5}, "aa", [0.5], 1, id="one id twice shares no judgments"),
    ],
)
def test_items_without_judgments_are_counted(
    judged: dict[str, float], items: str, values: list[float], not_judged: int, talk: Talk
) -> None:
    table = JudgmentTable.of([number(item, score) for item, score in judged.items()])
    summary = summarise_judgments(table, [talk(item, "u: x") for item in items])
    assert (list(summary.values), summary.not_judged) == (values, not_judged)
    assert summary.items == len(values) + not_judged


@pytest.mark.parametrize(
    ("rows", "values", "not_applicable", "reasons"),
    [
        pytest.param([number("a", answer="NA")], [], 1, {}, id="NA is no failure"),
        pytest.param(
            [number("a", unscored=Unscored("server")), number("a", 0.9, turn=1)],
            [],
            0,
            {"server": 1},
            id="turns do not stand in for an item that failed",
        ),
        pytest.param(
            [number("a", 0.2, turn=1), number("a", 0.4, turn=3)],
            [0.3],
            0,
            {},
            id="an item of which turns were judged is their mean",
        ),
    ],
)
def test_an_item_counts_once(
    rows: list[Judgment], values: list[float], not_applicable: int, reasons: dict[str, int]
) -> None:
    summary = count([("a", rows)])
    assert list(summary.values) == pytest.approx(values)
    assert (summary.not_applicable, summary.reasons) == (not_applicable, reasons)
    assert summary.unscored == len(reasons)


def test_several_judges_are_averaged_item_by_item_and_shown_one_by_one() -> None:
    first = [number("a", 0.2), number("a", 0.6, judge="k")]
    second = [number("b", 0.0), number("b", judge="k", unscored=Unscored("parse"))]
    summary = count([("a", first), ("b", second)])
    assert list(summary.values) == pytest.approx([0.4, 0.0])
    counts = {name: (row.n, row.mean.unscored) for name, row in summary.questions.items()}
    assert counts == {"overall, j": (2, 0), "overall, k": (1, 1)}


def preference(item: str, **more: Any) -> Judgment:
    return Judgment(item, **{"judge": "j", "question": "preference"} | more)


def test_shares_of_preferences_and_unscored_add_up_to_the_pairs() -> None:
    added = [
        (f"p{place}", [preference(f"p{place}", answer=answer, order=one) for one in ("AB", "BA")])
        for place, answer in enumerate(["A"] * 5 + ["B"] * 2 + ["tie"])
    ]
    added.append(("p8", [preference("p8", unscored=Unscored("parse"))]))
    added.append(("p9", [preference("p9", answer="A", order=one) for one in ("AB", "BA")]))
    summary = count(added, [PREFERENCE])
    row = summary.pairs["preference"]
    assert (row.a.count, row.b.count, row.tie.count, row.unscored, row.n) == (6, 2, 1, 1, 10)
    # Wilson, 6 of 10: statsmodels gives 0.3126738, 0.8318197
    assert row.a.interval == pytest.approx((0.3126738, 0.8318197), abs=1e-6)
    assert summary.listed[0].item == "p7"
    assert summary.to_json()["pairs"]["preference"]["a"]["count"] == 6


def test_ties_of_pairs_are_ordered_by_the_margin_that_a_judge_gives() -> None:
    margins = {"a": 0.4, "b": -0.1, "c": 0.2}
    added = [
        (name, [preference(name, answer="A", details={"margin": margin})])
        for name, margin in margins.items()
    ]
    assert [one.item for one in count(added, [PREFERENCE], keep=2).listed] == ["b", "c"]


@pytest.mark.parametrize("bad", [None, "x", [0.3], [0.6, 0.3], ["a", "b"]])
def test_levels_that_make_no_sense_are_none(bad: object) -> None:
    assert levels_of(Question("q", extra={"levels": bad})) is None
    assert levels_of(Question("q", extra={"levels": [0.3, 0.6]})) == (0.3, 0.6)


def test_judges_signatures_cost_and_repeated_rows_are_counted() -> None:
    row = number("a", 0.5, signature="9f2c", usage=Usage(100, 20, cost_usd=0.5))
    summary = count([("a", [row, replace(row, usage=Usage(1, 1))])])
    assert [(one.judge, one.signature, one.judgments) for one in summary.judges] == [
        ("j", "9f2c", 2)
    ]
    assert summary.duplicates == 1
    assert summary.news == ["2 calls, 1 of unknown price, 122 tokens, $0.5000"]


def test_many_failures_are_counted_in_full_and_listed_in_part() -> None:
    summary = count(
        (str(place), [number(str(place), unscored=Unscored("timeout"))])
        for place in range(MOST_FAILURES + 50)
    )
    assert summary.reasons == {"timeout": MOST_FAILURES + 50}
    assert len(summary.failures) == MOST_FAILURES


def test_memory_holds_numbers_and_the_listed_items_only(talk: Talk) -> None:
    counter = ScoreCounter(keep=5)

    def add(count: int) -> None:
        rng = np.random.default_rng(0)
        for place in range(count):
            item = talk(str(place), f"u: {place} " * 2_000, "a: answer " * 2_000)
            counter.add(item, [number(str(place), float(rng.random()))])

    tracemalloc.start()
    add(200)
    before = tracemalloc.get_traced_memory()[0]
    add(2_000)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    # 2,000 texts of 24 kB would be 48 MB; two numbers an item are 32 kB.
    assert grown < 400_000


def test_many_judges_are_taken_together() -> None:
    asked = Question("Q0", kind="ordinal", answers=("1", "3"), values=(1, 3))
    rows = [
        Judgment(item, f"rater-{n}", "Q0", answer="1" if n % 2 else "3")
        for item in "ab"
        for n in range(40)
    ]
    summary = summarise_judgments(JudgmentTable.of(rows, [asked]))
    assert [(name, row.n) for name, row in summary.questions.items()] == [("Q0, all 40 judges", 80)]


def test_answers_in_words_are_scored_though_they_have_no_mean() -> None:
    asked = Question("kind", kind="nominal", answers=("chat", "task"))
    rows = [
        Judgment("a", "j", "kind", answer="chat"),
        Judgment("b", "j", "kind", distribution={"task": 0.7, "chat": 0.1}),
        Judgment("c", "j", "kind", answer="NA"),
    ]
    summary = summarise_judgments(JudgmentTable.of(rows, [asked]))
    assert (summary.unscored, summary.not_applicable, len(summary.values)) == (0, 1, 0)
    assert {row.answer: row.judgments.count for row in summary.answers} == {"chat": 1, "task": 1}


def test_a_scale_that_was_guessed_is_said() -> None:
    summary = summarise_judgments(JudgmentTable.of([Judgment("a", "j", "Q0", answer="3")]))
    assert "no scale was given for Q0" in summary.notes[-1]

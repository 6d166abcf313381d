from __future__ import annotations

import math
import re
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import OutputError
from assize.base.judgment import PREFERENCE, Judgment, Question, Unscored, Usage
from assize.judgments import JudgmentTable
from assize.pages.scores.groups import UNSCORED_SHOWN
from assize.pages.scores.score_report import ScoreReport, write_report
from assize.results import to_json

Make = Callable[..., Any]


def words(path: Path, parse_html: Callable[[str], Any]) -> str:
    return " ".join(" ".join(parse_html(path.read_text()).words).split())


def test_numbers_on_the_page_equal_those_computed_by_hand(
    tmp_path: Path,
    make_conversation: Make,
    make_score: Make,
    overall: Question,
    parse_html: Callable[[str], Any],
) -> None:
    # 0.2, 0.4, 0.9 and a failure: mean 0.5, sd 0.36056, half width 4.30265 * sd / sqrt(3) = 0.89567
    report = ScoreReport([replace(overall, range=None, extra={"levels": [0.4, 0.9]})])
    for name, value in (("a", 0.2), ("b", 0.4), ("c", 0.9)):
        report.add(make_conversation(name, "question", "answer"), [make_score(name, value)])
    report.add(make_conversation("d", "alone"), [make_score("d", unscored=Unscored("empty", "x"))])
    summary = report.write(tmp_path / "r.html")
    assert (summary.items, summary.scored, summary.unscored) == (4, 3, 1)
    assert summary.overall.mean.estimate == pytest.approx(0.5)
    assert summary.overall.mean.interval[0] == pytest.approx(0.5 - 0.89567, abs=1e-5)
    assert (summary.overall.q25, summary.overall.q75) == pytest.approx((0.3, 0.65))
    text = words(tmp_path / "r.html", parse_html)
    assert "Conversations 4 4 judgments" in text
    assert "Scored 3 75.0%" in text
    assert "Not scored 1 1 unscored" in text
    assert "Mean of overall 0.500" in text
    assert "Low, at most 0.4 2 66.7%" in text
    assert "High, at least 0.9 1 33.3%" in text
    assert "0.300 0.400 0.650" in text


def test_unscored_items_stand_in_a_table_with_their_reason(
    tmp_path: Path, make_conversation: Make, make_score: Make, parse_html: Callable[[str], Any]
) -> None:
    report = ScoreReport()
    failed = Unscored("too_long", "9,000 tokens where 8,192 fit")
    report.add(make_conversation("c7", "hi", "ho"), [make_score("c7", unscored=failed)])
    report.write(tmp_path / "r.html")
    text = words(tmp_path / "r.html", parse_html)
    assert "c7 j overall too_long 9,000 tokens where 8,192 fit" in text


def test_lowest_conversations_come_first_and_of_two_alike_the_earlier(
    make_conversation: Make, make_score: Make
) -> None:
    report = ScoreReport(keep=3)
    for name, value in zip("abcdef", (0.5, 0.1, 0.9, 0.1, 0.3, 0.0), strict=True):
        report.add(make_conversation(name, "x"), [make_score(name, value)])
    assert [one.id for one in report.listed] == ["f", "b", "d"]


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
    report = ScoreReport([Question("q")], keep=keep, listing=listing)
    shifted = [value - 2 for value in values]
    for place, value in enumerate(shifted):
        report.add(str(place), [Judgment(str(place), "j", "q", score=value)])
    wanted = sorted(range(len(values)), key=lambda place: (rank[listing](shifted[place]), place))[
        :keep
    ]
    assert [int(one.id) for one in report.listed] == wanted


def test_an_empty_report_says_so(tmp_path: Path, parse_html: Callable[[str], Any]) -> None:
    summary = ScoreReport().write(tmp_path / "r.html")
    assert summary.items == 0
    assert math.isnan(summary.overall.mean.estimate)
    text = words(tmp_path / "r.html", parse_html)
    assert "Nothing has been scored" in text
    assert "nan" not in text.lower()


def test_when_nothing_could_be_scored_no_number_is_invented(
    tmp_path: Path, make_conversation: Make, make_score: Make, parse_html: Callable[[str], Any]
) -> None:
    report = ScoreReport()
    for name in "abc":
        failed = make_score(name, unscored=Unscored("refused"))
        report.add(make_conversation(name, "x", "y"), [failed])
    summary = report.write(tmp_path / "r.html")
    assert (summary.scored, summary.unscored, summary.overall.n) == (0, 3, 0)
    text = words(tmp_path / "r.html", parse_html)
    assert "Not scored 3 3 unscored" in text
    assert "Mean of" not in text
    assert "refused 3 100.0%" in text
    assert to_json(summary)["overall"]["mean"]["estimate"] is None


def test_one_item_has_a_mean_and_no_interval(
    tmp_path: Path, make_conversation: Make, make_score: Make, parse_html: Callable[[str], Any]
) -> None:
    report = ScoreReport()
    report.add(make_conversation("a", "x", "y"), [make_score("a", 0.0)])
    summary = report.write(tmp_path / "r.html")
    assert summary.overall.mean.estimate == 0.0
    assert math.isnan(summary.overall.mean.interval[0])
    text = words(tmp_path / "r.html", parse_html)
    assert "95% interval –" not in text
    assert "Mean of overall 0.000" in text


def test_items_without_judgments_and_judgments_without_items_are_both_counted(
    tmp_path: Path, make_conversation: Make, make_score: Make
) -> None:
    table = JudgmentTable.of([make_score("a", 0.5), make_score("z", 0.2)])
    items = [make_conversation("a", "x"), make_conversation("b", "y")]
    summary = write_report(tmp_path / "r.html", table, items)
    assert (summary.items, summary.scored, summary.not_judged, summary.texts) == (3, 2, 1, 2)


def test_a_question_that_does_not_apply_is_no_failure(make_score: Make) -> None:
    report = ScoreReport()
    report.add("a", [make_score("a", answer="NA")])
    summary = report.summary()
    assert (summary.not_applicable, summary.unscored) == (1, 0)


def test_scores_of_turns_do_not_stand_in_for_an_item_that_could_not_be_scored(
    make_score: Make,
) -> None:
    report = ScoreReport()
    rows = [make_score("a", unscored=Unscored("server")), make_score("a", 0.9, turn=1)]
    report.add("a", rows)
    assert (report.summary().scored, report.summary().unscored) == (0, 1)


def test_where_only_turns_were_judged_an_item_is_the_mean_of_its_turns(make_score: Make) -> None:
    report = ScoreReport()
    report.add("a", [make_score("a", 0.2, turn=1), make_score("a", 0.4, turn=3)])
    assert report.summary().overall.mean.estimate == pytest.approx(0.3)


def test_several_judges_are_averaged_item_by_item_and_shown_one_by_one(make_score: Make) -> None:
    report = ScoreReport()
    report.add("a", [make_score("a", 0.2), make_score("a", 0.6, judge="k")])
    report.add("b", [make_score("b", 0.0), make_score("b", judge="k", unscored=Unscored("parse"))])
    summary = report.summary()
    assert summary.overall.mean.estimate == pytest.approx(0.2)  # (0.4 + 0.0) / 2
    assert [(one.judge, one.spread.n) for one in summary.groups] == [("j", 2), ("k", 1)]


def pair(name: str) -> Pair:
    return Pair(name, (Turn("user", "q"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),))


def test_shares_of_preferences_and_unscored_add_up_to_the_pairs(
    tmp_path: Path, parse_html: Callable[[str], Any]
) -> None:
    report = ScoreReport([PREFERENCE])
    for place, answer in enumerate(["A"] * 5 + ["B"] * 2 + ["tie"]):
        name = f"p{place}"
        vote = Judgment(name, "j", "preference", answer=answer, order="AB")
        report.add(pair(name), [vote, replace(vote, order="BA")])
    report.add(pair("p8"), [Judgment("p8", "j", "preference", unscored=Unscored("parse"))])
    first = Judgment("p9", "j", "preference", answer="A", order="AB")
    report.add(pair("p9"), [first, replace(first, order="BA")])
    summary = report.write(tmp_path / "r.html")
    (group,) = summary.groups
    shares = {name: share.estimate for name, share in group.shares.items()}
    assert shares == pytest.approx({"A": 0.6, "B": 0.2, "tie": 0.1})
    # Wilson, 6 of 10: statsmodels gives 0.3126738, 0.8318197
    assert group.shares["A"].interval == pytest.approx((0.3126738, 0.8318197), abs=1e-6)
    assert sum(group.tally.preferences.values()) + group.tally.items_unscored == 10
    assert report.listed[0].id == "p7"
    text = words(tmp_path / "r.html", parse_html)
    assert "A is better 60.0% [31.3%, 83.2%]" in text
    assert "Closest pairs first" in text


def test_ties_of_pairs_are_ordered_by_the_margin_that_a_judge_gives() -> None:
    report = ScoreReport([PREFERENCE], keep=2)
    for name, margin in (("a", 0.4), ("b", -0.1), ("c", 0.2)):
        row = Judgment(name, "j", "preference", answer="A", details={"margin": margin})
        report.add(pair(name), [row])
    assert [one.id for one in report.listed] == ["b", "c"]


def test_text_of_conversations_is_escaped_and_shown_as_it_is(
    tmp_path: Path, make_conversation: Make, make_score: Make, parse_html: Callable[[str], Any]
) -> None:
    evil = (
        "</li></details><script>document.title='pwned'</script>\" onclick=\"x \u202eevil {{ 7*7 }}"
    )
    item = make_conversation(evil, evil, evil, system=evil, metadata={evil: evil})
    row = replace(make_score(evil, 0.1, explanation=evil, signature=evil), judge=evil)
    failed = make_score(evil, unscored=Unscored(evil, evil), question=evil)
    table = JudgmentTable.of([row, failed])
    write_report(tmp_path / "r.html", table, [item], title=evil, notes=[evil], reproduce=[evil])
    text = (tmp_path / "r.html").read_text()
    parsed = parse_html(text)
    assert not {tag for tag, _ in parsed.tags} & {"script", "img", "iframe"}
    assert not [name for _, found in parsed.tags for name in found if name.startswith("on")]
    assert "\u202e" not in text
    assert "49" not in [word.strip() for word in parsed.words]
    assert "</li></details><script>document.title='pwned'</script>" in "".join(parsed.words)


def test_a_huge_text_is_abridged_and_the_page_says_by_how_much(
    tmp_path: Path, make_conversation: Make, make_score: Make
) -> None:
    report = ScoreReport()
    report.add(make_conversation("a", "x" * 1_000_000, "y"), [make_score("a", 0.1)])
    report.write(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert len(text) < 60_000
    assert "994,000 characters not shown" in text


def test_levels_come_from_the_question_where_they_are_not_given(overall: Question) -> None:
    asked = replace(overall, extra={"levels": [0.3, 0.6]})
    report = ScoreReport([asked])
    for place, value in enumerate((0.3, 0.31, 0.6)):
        report.add(str(place), [Judgment(str(place), "j", "overall", score=value)])
    levels = report.summary().levels
    assert levels is not None
    assert (levels.low_count, levels.high_count) == (1, 1)


@pytest.mark.parametrize("bad", [None, "x", [0.3], [0.6, 0.3], ["a", "b"]])
def test_levels_that_make_no_sense_are_none(overall: Question, bad: object) -> None:
    report = ScoreReport([replace(overall, extra={"levels": bad})])
    report.add("a", [Judgment("a", "j", "overall", score=0.5)])
    assert report.summary().levels is None


def test_flagged_languages_and_long_turns_become_notes(
    tmp_path: Path, make_conversation: Make, make_score: Make, parse_html: Callable[[str], Any]
) -> None:
    report = ScoreReport()
    about = [{"language": "es"}, {"language": "es", "windows": {"1": 3}}, {}]
    for place, details in enumerate(about):
        name = str(place)
        report.add(make_conversation(name, "x", "y"), [make_score(name, 0.5, details=details)])
    report.write(tmp_path / "r.html")
    text = words(tmp_path / "r.html", parse_html)
    assert (
        "2 of the conversations are in a language that the judge flags as not its own (es 2)."
        in text
    )
    assert "1 of the conversations hold turns longer" in text


def test_the_page_names_judges_signatures_cost_and_repeated_rows(
    tmp_path: Path, make_score: Make, parse_html: Callable[[str], Any]
) -> None:
    report = ScoreReport()
    row = make_score("a", 0.5, signature="9f2c", usage=Usage(100, 20, cost_usd=0.5))
    report.add("a", [row, replace(row, usage=Usage(1, 1))])
    summary = report.write(tmp_path / "r.html", reproduce=["assize score x --report r.html"])
    text = words(tmp_path / "r.html", parse_html)
    assert "j 9f2c 2" in text
    assert "Judgments that repeat another's key, and are counted: 1." in text
    assert "2 calls, 1 of unknown price, 122 tokens, $0.5000." in text
    assert "assize score x --report r.html" in text
    assert summary.signature in text


def test_the_signature_changes_with_the_judge_and_not_with_the_items(make_score: Make) -> None:
    def signature(item: str, made_by: str) -> str:
        report = ScoreReport()
        report.add(item, [make_score(item, 0.5, signature=made_by)])
        return report.summary().signature

    assert signature("a", "x") == signature("b", "x")
    assert signature("a", "x") != signature("a", "y")


def test_many_failures_are_counted_in_full_and_listed_in_part(
    tmp_path: Path, make_score: Make, parse_html: Callable[[str], Any]
) -> None:
    report = ScoreReport()
    for place in range(UNSCORED_SHOWN + 50):
        report.add(str(place), [make_score(str(place), unscored=Unscored("timeout"))])
    summary = report.write(tmp_path / "r.html")
    assert summary.reasons == {"timeout": UNSCORED_SHOWN + 50}
    assert "The first 200 of 250." in words(tmp_path / "r.html", parse_html)


def test_memory_holds_numbers_and_the_listed_texts_only(
    make_conversation: Make, make_score: Make
) -> None:
    report = ScoreReport(keep=5)

    def add(count: int) -> Iterator[int]:
        rng = np.random.default_rng(0)
        for place in range(count):
            item = make_conversation(str(place), f"{place} " * 2_000, "answer " * 2_000)
            report.add(item, [make_score(str(place), float(rng.random()))])
            yield place

    tracemalloc.start()
    for _ in add(200):
        pass
    before = tracemalloc.get_traced_memory()[0]
    for _ in add(3_000):
        pass
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    # 3,000 texts of 24 kB would be 72 MB; two numbers an item are 48 kB.
    assert grown < 400_000


def test_the_question_at_the_head_is_one_that_was_asked(overall: Question) -> None:
    report = ScoreReport([overall, PREFERENCE])
    report.add("p", [Judgment("p", "j", "preference", answer="A")])
    assert (report.summary().question, report.summary().scored) == ("preference", 1)


def test_an_interval_does_not_leave_the_scale(overall: Question) -> None:
    report = ScoreReport([overall])
    for name, value in (("a", 0.1), ("b", 0.9)):
        report.add(name, [Judgment(name, "j", "overall", score=value)])
    assert report.summary().overall.mean.interval == (0.0, 1.0)


def test_answers_in_words_are_scored_though_they_have_no_mean(
    tmp_path: Path, parse_html: Callable[[str], Any]
) -> None:
    asked = Question("kind", kind="nominal", answers=("chat", "task"))
    rows = [
        Judgment("a", "j", "kind", answer="chat"),
        Judgment("b", "j", "kind", distribution={"task": 0.7, "chat": 0.1}),
        Judgment("c", "j", "kind", answer="NA"),
    ]
    summary = write_report(tmp_path / "r.html", JudgmentTable.of(rows, [asked]))
    assert (summary.scored, summary.not_applicable, summary.overall.n) == (2, 1, 0)
    text = words(tmp_path / "r.html", parse_html)
    assert "Nothing has been scored" not in text
    assert "Mean of" not in text


def test_many_judges_are_taken_together_and_without_an_interval(
    tmp_path: Path, parse_html: Callable[[str], Any]
) -> None:
    asked = Question("Q0", kind="ordinal", answers=("1", "3"), values=(1, 3))
    rows = [
        Judgment(item, f"rater-{n}", "Q0", answer="1" if n % 2 else "3")
        for item in "ab"
        for n in range(40)
    ]
    summary = write_report(tmp_path / "r.html", JudgmentTable.of(rows, [asked]))
    assert len(summary.groups) == 40
    text = words(tmp_path / "r.html", parse_html)
    assert "Q0 all 40 judges 80 0 0 2.00 – 1.00 2.00 3.00" in text


def test_of_very_many_judgments_of_an_item_the_first_are_shown_and_the_others_counted(
    make_score: Make,
) -> None:
    report = ScoreReport()
    report.add("a", [make_score("a", 0.5, judge=f"rater-{n}") for n in range(100)])
    (found,) = report.listed
    assert len(found.opinions) == 80
    assert ("judgments not shown", "20") in found.facts


def test_values_beyond_the_stated_range_are_drawn_and_not_lost(tmp_path: Path) -> None:
    report = ScoreReport([Question("overall", kind="number", range=(0, 1))])
    for name, value in (("a", 0.5), ("b", 40.0)):
        report.add(name, [Judgment(name, "j", "overall", score=value)])
    summary = report.write(tmp_path / "r.html")
    low, high = summary.overall.mean.interval
    assert low < summary.overall.mean.estimate == 20.25 < high


def test_an_earlier_page_survives_a_failure(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        ScoreReport().write(tmp_path / "missing" / "r.html")


def test_a_scale_that_was_guessed_is_said(tmp_path: Path, parse_html: Callable[[str], Any]) -> None:
    table = JudgmentTable.of([Judgment("a", "j", "Q0", answer="3")])
    write_report(tmp_path / "r.html", table)
    assert "No scale was given for Q0" in words(tmp_path / "r.html", parse_html)


def test_answers_are_drawn_for_each_question(tmp_path: Path) -> None:
    asked = [
        Question(name, text=f"How {name}?", kind="ordinal", answers=("1", "2"), values=(1, 2))
        for name in ("Q0", "Q1")
    ]
    rows = [Judgment("a", "j", name, answer="2") for name in ("Q0", "Q1")]
    write_report(tmp_path / "r.html", JudgmentTable.of(rows, asked))
    text = (tmp_path / "r.html").read_text()
    assert "Q0: How Q0?; Q1: How Q1?" in text
    assert re.search(r'aria-label="Shares of the answers', text)


def test_conversations_with_the_same_id_share_no_judgments(
    tmp_path: Path, make_conversation: Make, make_score: Make
) -> None:
    items: list[Conversation] = [make_conversation("a", "x"), make_conversation("a", "y")]
    summary = write_report(tmp_path / "r.html", JudgmentTable.of([make_score("a", 0.5)]), items)
    assert (summary.scored, summary.not_judged) == (1, 1)

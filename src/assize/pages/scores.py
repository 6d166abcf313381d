"""The charts of scores and of any judgments, and the list of items to look at first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from assize.base.judgment import Question
from assize.judgments.tally import Tally
from assize.judgments.values import name_answer, scale_ends
from assize.pages import charts, page
from assize.pages.conversation import describe_answer
from assize.pages.excerpt import Excerpt, excerpt
from assize.pages.result_page import Charts
from assize.results.abridge import one_line
from assize.results.numbers import digits_for, number, preferred
from assize.scoring.counter import levels_of
from assize.scoring.summary import ListedItem, ScoreSummary

CHARTS_SHOWN = 24
NAMES_SHOWN = 12
MEANS_SHOWN = 40
MOST_OPINIONS = 80
LONGEST_ANSWER = 200
SIDES = ("A", "tie", "B")
_SIDE_COLOURS = (charts.SERIES[0], charts.SERIES[5], charts.SERIES[1])

Figure = tuple[charts.Spec, str]


def draw_scores(summary: ScoreSummary) -> Charts:
    """Return how scores spread and what was answered, and the items to look at first."""
    noun = next(iter(summary.kinds)) + "s" if len(summary.kinds) == 1 else "items"
    first = f"{'most ' * (summary.listing == 'decided')}{summary.listing} {noun} first"
    return {
        "at a glance": [*spread_of_items(summary), *means(summary), *sides(summary)],
        "questions": [],
        "answers by question": answers(summary),
        first: [list_items(summary, noun)],
        "failures": [],
    }


def spread_of_items(summary: ScoreSummary) -> Sequence[Figure]:
    """Return how the items spread on the main question, with its levels and the mean."""
    question, values = summary.main, summary.values
    if question is None or question.kind in {"preference", "nominal"} or not len(values):
        return []
    levels = levels_of(question)
    marks = {} if levels is None else dict(zip(("low", "high"), levels, strict=True))
    marks["mean"] = sum(values) / len(values)
    scale = scale_ends(question)
    spec = charts.histogram(values, title=question.id, range=scale, marks=marks, unit="items")
    return [(spec, f"Distribution of {question.id} over the items.")]


def means(summary: ScoreSummary) -> Sequence[Figure]:
    """Return the means of the questions on the main one's scale; nothing where it is alone."""
    scale = None if summary.main is None else scale_ends(summary.main)
    questions = [tally.question for tally in summary.tallies.values()]
    like = [
        scale_ends(question)
        for question in questions
        if question.kind not in {"preference", "nominal", "text"}
    ]
    rows = [
        (name, spread.mean)
        for (name, spread), own in zip(summary.questions.items(), like, strict=True)
        if own == scale and spread.n
    ]
    if not 2 <= len(rows) <= MEANS_SHOWN:
        return []
    return [(charts.means(rows, title="mean", range=scale), "Means with their 95% intervals.")]


def sides(summary: ScoreSummary) -> Sequence[Figure]:
    """Return which side each judge prefers, question by question."""
    rows = [
        (name, side, float(share.count))
        for name, row in summary.pairs.items()
        for side, share in zip(SIDES, (row.a, row.tie, row.b), strict=True)
    ]
    spec = charts.shares(rows, answers=SIDES, title="pairs", palette=_SIDE_COLOURS)
    return [(spec, "How often each judge prefers A, B or neither.")]


def answers(summary: ScoreSummary) -> Sequence[Figure | Markup]:
    """Return how often each answer was given: bars of 100% on one scale, names by their counts."""
    figures: list[Figure | Markup] = []
    together: dict[Any, list[tuple[str, Tally]]] = {}
    for (judge, _), tally in summary.tallies.items():
        question = tally.question
        if tally.answers and question.kind in {"nominal", "ordinal", "binary"}:
            name = question.id if summary.judge else f"{question.id}, {judge}"
            alike = question.kind, question.answers, *question.labels.items()
            key = name if question.kind == "nominal" else alike
            together.setdefault(key, []).append((name, tally))
    for group in list(together.values())[:CHARTS_SHOWN]:
        questions = {tally.question.id: tally.question for _, tally in group}
        texts = [f"{one.id}: {one.text}" if one.text else one.id for one in questions.values()]
        first = group[0][1]
        spec = _counts(first) if first.question.kind == "nominal" else _bars(group)
        figures.append((spec, "; ".join(texts)))
    if left := len(together) - len(figures):
        figures.append(page.paragraph(f"{left} further questions are not drawn.", kind="quiet"))
    return figures


def _bars(group: Sequence[tuple[str, Tally]]) -> charts.Spec:
    question = group[0][1].question
    seen = (answer for _, tally in group for answer in tally.answers)
    names = {
        answer: name_answer(question, answer)
        for answer in dict.fromkeys((*question.answers, *seen))
    }
    rows = [
        (bar, name, tally.answers.get(answer, 0.0))
        for bar, tally in group
        for answer, name in names.items()
    ]
    return charts.shares(rows, answers=[*names.values()], title="answers")


def _counts(tally: Tally) -> charts.Spec:
    """The most frequent names with their counts."""
    names = sorted(tally.answers.items(), key=lambda answer: -answer[1])
    labels = tally.question.labels
    rows = [(labels.get(name, name), count) for name, count in names[:NAMES_SHOWN]]
    if left := names[NAMES_SHOWN:]:
        rows.append((f"{len(left):,} others", sum(count for _, count in left)))
    total = sum(tally.answers.values()) + tally.further
    return charts.counts(rows, title=tally.question.id, of=total)


def list_items(summary: ScoreSummary, noun: str) -> Markup:
    """Return the items to look at first, folded, with a box to search them where they are many."""
    main = summary.main
    if not summary.listed or main is None:
        return page.EMPTY
    levels, digits = levels_of(main), digits_for(summary.values)

    def level(value: float) -> str:
        if levels is None:
            return ""
        return "low" if value <= levels[0] else "high" if value >= levels[1] else "middle"

    n = len(summary.values)
    lead = f"{len(summary.listed):,} of {n:,} scored {noun}, ordered by {summary.question}."
    if any(isinstance(listed.item, str) for listed in summary.listed):
        lead += " To read their texts here, give the items (--items)."
    questions = {question: tally.question for (_, question), tally in summary.tallies.items()}
    pieces = item_pieces(
        summary.listed,
        questions,
        main=main.id,
        several=summary.judge is None,
        level=level,
        shown=preferred if main.kind == "preference" else lambda value: number(value, digits),
    )
    names = () if levels is None else ("low", "middle", "high")
    return page.join(
        page.paragraph(lead, kind="quiet"), page.browsed(pieces, noun=noun, levels=names)
    )


def item_pieces(
    listed: Sequence[ListedItem],
    questions: Mapping[str, Question],
    *,
    main: str,
    several: bool,
    level: Callable[[float], str],
    shown: Callable[[float], str],
) -> list[Markup]:
    """Return items, folded but for the first, each with its text and what was said of it.

    Args:
        questions: by the id that judgments name.
        main: id of the question whose answer stands first.
        several: whether the judges of answers are named.
        level, shown: what an item's value is called, and how it is written.
    """
    return [
        page.render(
            "item.html",
            item=_excerpt(one, main, questions),
            opened=place == 0,
            several=several,
            shown=shown,
            level=level,
            main=main,
        )
        for place, one in enumerate(listed)
    ]


def _excerpt(listed: ListedItem, main: str, questions: Mapping[str, Question]) -> Excerpt:
    whole = [row for row in listed.judgments if row.turn is None]
    whole.sort(key=lambda row: row.question != main)
    opinions = [
        (row, one_line(describe_answer(row, questions[row.question]), LONGEST_ANSWER))
        for row in whole[:MOST_OPINIONS]
    ]
    left = len(whole) - MOST_OPINIONS
    flags = {"judgments not shown": f"{left:,}"} if left > 0 else {}
    turns = [row for row in listed.judgments if row.turn is not None]
    return excerpt(listed.item, listed.value, opinions, turns, flags=flags)

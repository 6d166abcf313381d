"""The charts of `assize acts`: what dialogue acts and maxims show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assize.acts._analysis import ROLES, NameFrequency, Transition
from assize.acts._maxim_analysis import MORE, MaximSides
from assize.acts._published import frequent_names
from assize.acts._study import ActsResult, ActStudy
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.result_page import Charts
from assize.results import Mean

BARS = 14  # acts that a picture shows
CELLS = 9  # rows and columns of the picture of transitions
GROUPS = 8  # names that a picture of both roles shows

MORE_COLOURS = (charts.SERIES[0], charts.SERIES[1], charts.SERIES[5])
MORE_WORDS = {"chosen": "chosen more", "rejected": "rejected more", "equal": "equally many"}

SIDE_COLOURS = (
    charts.SERIES[0],
    charts.SERIES[1],
    charts.RAMP[0],
    charts.SERIES[5],
    charts.SERIES[4],
)

Drawn = tuple[Spec, str]
"""A chart and its caption."""


def draw_acts(result: ActsResult) -> Charts:
    """Return the charts of each study, by its tables."""
    return {
        result.key(study, name): list(drawn)
        for study in result.studies
        for name, drawn in _study_charts(study).items()
    }


def _study_charts(study: ActStudy) -> Mapping[str, Iterator[Drawn]]:
    found: dict[str, Iterator[Drawn]] = {"responses": _crossed(study)}
    if study.changes:
        found |= {
            "changes": _changes(study),
            "functions": (drawn for role in ROLES for drawn in _frequent(study, role)),
            "dimensions": draw_frequencies(
                study.dimensions, "Dimensions by who speaks, with 95% intervals."
            ),
            "distinct": _distinct(study),
            "after_user": _follows(study.after_user, "user"),
            "after_assistant": _follows(study.after_assistant, "assistant"),
        }
    if study.sides and study.gold:
        maxims = draw_sides(study.sides, "Which response keeps to each maxim better.")
        found["sides"] = iter([maxims])
    return found


def _crossed(study: ActStudy) -> Iterator[Drawn]:
    if has_crossed(study):
        rows = crossed_rows(study, "{} acts")
        spec = charts.shares(
            rows, answers=list(MORE_WORDS.values()), title="pairs", palette=MORE_COLOURS
        )
        yield spec, "Which response satisfies more maxims, by whether their acts differ."


def has_crossed(study: ActStudy) -> bool:
    """Whether there is a pair with acts, maxims and a preferred response."""
    return any(row.share.n for row in study.responses)


def crossed_rows(study: ActStudy, name: str) -> list[tuple[str, str, float]]:
    """Return bars of the pairs with same and with different acts.

    Args:
        name: of a bar; `{}` stands for same and different.
    """
    return [
        (name.format(row.acts), MORE_WORDS[row.more], row.share.count)
        for row in study.responses
        if row.more in MORE
    ]


def _changes(study: ActStudy) -> Iterator[Drawn]:
    shares = [
        (f"{row.who}, {row.level}s", row.share)
        for row in study.changes
        if row.change == "from turn to turn"
    ]
    spec = charts.means(shares, title="share of consecutive turns", range=(0.0, 1.0))
    yield spec, "How often acts change from one turn of a role to its next, with 95% intervals."


def draw_frequencies(names: Sequence[NameFrequency], caption: str) -> Iterator[Drawn]:
    """Yield the most common functions or dimensions, of both roles side by side."""
    rows = [
        (row.name, role, getattr(row, role) or Mean(0.0))
        for row in frequent_names(names)[:GROUPS]
        for role in ROLES
    ]
    yield charts.grouped(rows, series=ROLES, title="share of turns"), caption


def distinct_acts(study: ActStudy, role: str) -> charts.Curve:
    """The share of conversations with at least so many distinct acts of a role."""
    shares = {
        row.at_least: share
        for row in study.distinct
        if row.what == "act" and (share := getattr(row, role)) is not None and share.count
    }
    return charts.Curve.of(shares, shares.values())


def draw_distinct(curves: Mapping[str, charts.Curve], title: str, caption: str) -> Drawn:
    """Return curves of the shares of conversations with at least so many distinct acts."""
    spec = charts.curves(
        curves, x_title=title, y_title="share of conversations", zero=True, dots=True
    )
    return spec, caption


def _distinct(study: ActStudy) -> Iterator[Drawn]:
    curves = {
        role: distinct_acts(study, role)
        for role in ROLES
        if any(getattr(row, role) for row in study.distinct)
    }
    caption = "Distinct acts in a conversation; an act is everything that a turn does."
    yield draw_distinct(curves, "distinct acts, at least", caption)


def _frequent(study: ActStudy, role: str) -> Iterator[Drawn]:
    shares = [(row.name, share) for row in study.functions if (share := getattr(row, role))]
    ranked = sorted(shares, key=lambda row: (-row[1].count, row[0]))
    spec = charts.means(
        [row for row in ranked if row[1].count][:BARS], title=f"share of the {role}'s turns"
    )
    yield spec, f"The most frequent acts of the {role}, with 95% intervals."


def _follows(rows: Sequence[Transition], role: str) -> Iterator[Drawn]:
    turns = {row.act: row.turns for row in rows}
    acts = sorted(turns, key=lambda name: (-turns[name], name))[:CELLS]
    followed = {(row.act, row.next_act): row.followed for row in rows}
    totals = Counter[str]()
    for (act, other), count in followed.items():
        if act in acts:
            totals[other] += count
    columns = sorted(totals, key=lambda name: (-totals[name], name))[:CELLS]
    cells: dict[tuple[str, str], float | None] = {
        (act, column): followed.get((act, column), 0) / turns[act]
        for act in acts
        for column in columns
    }
    spec = charts.heatmap(
        cells,
        x_title="in the next turn",
        y_title=role,
        columns=columns,
        rows=acts,
        format=".0%",
    )
    yield spec, f"What follows an act of the {role}: share of its turns."


def draw_sides(rows: Sequence[MaximSides], caption: str) -> Drawn:
    """Who keeps to each maxim, as bars of 100%."""
    sides = list(rows[0].shares)
    bars = [(row.maxim, side, share.count) for row in rows for side, share in row.shares.items()]
    palette = SIDE_COLOURS[: len(sides)]
    return charts.shares(bars, answers=sides, title="pairs", palette=palette), caption

"""The charts of `assize acts`: what dialogue acts and maxims show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assize.acts._analysis import LEVELS, ROLES
from assize.acts._maxim_analysis import APART, HELD, MORE
from assize.acts._study import ActsResult, ActStudy, OfActs, OfMaxims
from assize.acts._study_rows import most_next
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.result_page import Charts
from assize.results import Mean

BARS = 14  # acts that a picture shows
CELLS = 9  # rows and columns of the picture of transitions
GROUPS = 8  # names that a picture of both roles shows

MORE_COLOURS = (charts.SERIES[0], charts.SERIES[1], charts.SERIES[5])
MORE_WORDS = {"chosen": "chosen more", "rejected": "rejected more", "equal": "equally many"}

_HELD_COLOURS = (charts.SERIES[0], charts.SERIES[1], charts.RAMP[0], charts.SERIES[5])
_APART_COLOUR = charts.SERIES[4]

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
    acts = study.acts
    found: dict[str, Iterator[Drawn]] = {"responses": _crossed(study)}
    if acts is not None:
        found |= {
            "changes": _changes(acts),
            "functions": (drawn for role in ROLES for drawn in _frequent(acts, role)),
            "dimensions": draw_frequencies(
                acts, "dimension", "Dimensions by who speaks, with 95% intervals."
            ),
            "distinct": _distinct(acts),
            "after_user": _follows(acts, "user"),
            "after_assistant": _follows(acts, "assistant"),
        }
    if study.maxims is not None and study.gold:
        maxims = draw_per_maxim(study.maxims, "Which response keeps to each maxim better.")
        found["sides"] = iter([maxims])
    return found


def _crossed(study: ActStudy) -> Iterator[Drawn]:
    if study.crossed is not None and study.crossed.n:
        rows = crossed_rows(study, "{} acts")
        spec = charts.shares(
            rows, answers=list(MORE_WORDS.values()), title="pairs", palette=MORE_COLOURS
        )
        yield spec, "Which response satisfies more maxims, by whether their acts differ."


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


def _changes(acts: OfActs) -> Iterator[Drawn]:
    shares = {
        f"{role}, {level}s": acts.changes[level][role].turns for level in LEVELS for role in ROLES
    }
    spec = charts.means([*shares.items()], title="share of consecutive turns", range=(0.0, 1.0))
    yield spec, "How often acts change from one turn of a role to its next, with 95% intervals."


def draw_frequencies(acts: OfActs, level: str, caption: str) -> Iterator[Drawn]:
    """Yield the most common functions or dimensions, of both roles side by side."""
    by_role = acts.frequency[level]
    totals: Counter[str] = Counter()
    for role in ROLES:
        totals.update({name: share.count for name, share in by_role[role].names.items()})
    names = sorted(totals, key=lambda name: (-totals[name], name))[:GROUPS]
    none = Mean(0.0)
    rows = [(name, role, by_role[role].names.get(name, none)) for name in names for role in ROLES]
    yield charts.grouped(rows, series=ROLES, title="share of turns"), caption


def distinct_acts(acts: OfActs, role: str) -> charts.Curve:
    """The share of conversations with at least so many distinct acts of a role."""
    shares = acts.distinct["act"][role]
    return charts.Curve.of(shares, shares.values())


def draw_distinct(curves: Mapping[str, charts.Curve], title: str, caption: str) -> Drawn:
    """Return curves of the shares of conversations with at least so many distinct acts."""
    spec = charts.curves(
        curves, x_title=title, y_title="share of conversations", zero=True, dots=True
    )
    return spec, caption


def _distinct(acts: OfActs) -> Iterator[Drawn]:
    curves = {role: distinct_acts(acts, role) for role in ROLES if acts.distinct["act"][role]}
    caption = "How many distinct acts a conversation has; an act is all that a turn does."
    yield draw_distinct(curves, "distinct acts, at least", caption)


def _frequent(acts: OfActs, role: str) -> Iterator[Drawn]:
    rows = list(acts.frequency["function"][role].names.items())[:BARS]
    spec = charts.means(rows, title=f"share of the {role}'s turns")
    yield spec, f"The most frequent acts of the {role}, with 95% intervals."


def _follows(acts: OfActs, role: str) -> Iterator[Drawn]:
    rows = dict(list(acts.transitions[role].items())[:CELLS])
    columns: Sequence[str] = most_next(rows)[:CELLS]
    cells: dict[tuple[str, str], float | None] = {
        (name, column): row.get(column, 0) / row[""]
        for name, row in rows.items()
        for column in columns
    }
    spec = charts.heatmap(
        cells,
        x_title="in the next turn",
        y_title=role,
        columns=columns,
        rows=list(rows),
        format=".0%",
    )
    yield spec, f"What follows an act of the {role}: share of its turns."


def draw_per_maxim(maxims: OfMaxims, caption: str) -> Drawn:
    """Who keeps to each maxim, as bars of 100%."""
    sides = (*HELD, APART) if maxims.agreed else HELD
    colours = (*_HELD_COLOURS, _APART_COLOUR) if maxims.agreed else _HELD_COLOURS
    rows = [
        (name, side, maxim.shares[side].count)
        for name, maxim in maxims.per_maxim.items()
        for side in sides
    ]
    return charts.shares(rows, answers=sides, title="pairs", palette=colours), caption

"""The charts of `assize study acts`: AMULET's figures over several data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assize.acts._analysis import find_share
from assize.acts._published import ActsStudied
from assize.acts._study import ActStudy, of_study
from assize.pages import charts
from assize.pages.acts import (
    MORE_COLOURS,
    MORE_WORDS,
    Drawn,
    crossed_rows,
    distinct_acts,
    draw_distinct,
    draw_frequencies,
    draw_sides,
    has_crossed,
)
from assize.pages.result_page import Charts


def draw_acts_study(result: ActsStudied) -> Charts:
    """Return the figures of the paper, before its tables."""
    studies = result.studies
    return {
        "at a glance": list(_shares(studies)),
        "what turns do": list(_acts(studies)),
        "who satisfies each maxim": list(_maxims(studies)),
    }


def _shares(studies: Mapping[str, ActStudy]) -> Iterator[Drawn]:
    """Table 1, and figures 3c and 3d."""
    several = len(studies) > 1
    rows = [
        row
        for name, study in studies.items()
        if has_crossed(study)
        for row in crossed_rows(study, f"{name}, {{}}" if several else "{} acts")
    ]
    spec = charts.shares(
        rows, answers=list(MORE_WORDS.values()), title="pairs", palette=MORE_COLOURS
    )
    yield spec, "Table 1: which response satisfies more maxims, by whether their acts differ."
    changes = [
        (name, who, share)
        for name, study in studies.items()
        for who, change in (
            ("user", "from turn to turn"),
            ("assistant", "after a change of the user"),
        )
        if (share := find_share(study.changes, level="function", who=who, change=change))
    ]
    spec = charts.grouped(
        changes, series=("user", "assistant"), title="consecutive turns that differ"
    )
    caption = (
        "Figures 3c and 3d: how often the acts of the user change from turn to turn, and the"
        " assistant's where the user's do, with 95% intervals."
    )
    yield spec, caption


def _acts(studies: Mapping[str, ActStudy]) -> Iterator[Drawn]:
    known = {name: study for name, study in studies.items() if study.changes}
    for name, study in known.items():
        caption = f"Figures 3a and 6: most common functions{of_study(name, studies)}."
        yield from draw_frequencies(study.functions, caption)
        caption = f"Figure 7: most common dimensions{of_study(name, studies)}."
        yield from draw_frequencies(study.dimensions, caption)
    curves = {name: distinct_acts(study, "user") for name, study in known.items()}
    caption = "Figures 3b and 8: distinct acts of the user in a conversation."
    yield draw_distinct(curves, "distinct acts of the user, at least", caption)


def _maxims(studies: Mapping[str, ActStudy]) -> Iterator[Drawn]:
    for name, study in studies.items():
        if study.sides and study.gold:
            caption = f"Figure 4: who satisfies each maxim{of_study(name, studies)}."
            yield draw_sides(study.sides, caption)

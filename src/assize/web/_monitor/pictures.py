"""The monitor's charts, drawn as SVG that stands in the page."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence

from markupsafe import Markup

from assize.judgments.values import scale_of
from assize.pages import charts
from assize.pages.drawing import Spec, svg
from assize.results import Estimate
from assize.web._monitor.agreement import Agreement, RaterAgreement, confusion
from assize.web._monitor.collected import Answered
from assize.web._monitor.progress import Progress

MOST_BARS = 40
MOST_ANSWERS = 12  # of a confusion table
_WORST = -0.2  # where the axis of alpha begins


def drawn(kept: dict[str, str], name: str, spec: Callable[[], Spec | None]) -> Markup:
    """A chart as SVG, drawn once; empty where there is nothing to draw."""
    if name not in kept:
        made = spec()
        kept[name] = "" if made is None else svg(made)
    return Markup(kept[name])  # noqa: S704  (drawn here, every text in it escaped)


async def drawn_progress(found: Progress) -> Markup:
    """`items_by_ratings`, drawn off the event loop."""
    return await asyncio.to_thread(drawn, {}, "progress", lambda: items_by_ratings(found))


def items_by_ratings(found: Progress) -> Spec | None:
    """How many items have how many ratings."""
    if not found.items:
        return None
    rows = [
        (f"{n} of {found.raters_per_item}" if n <= found.raters_per_item else f"{n}", count)
        for n, count in enumerate(found.by_count)
    ]
    bars = [(name, float(count)) for name, count in rows]
    return charts.counts(bars, title="Items by ratings", of=sum(found.by_count))


def alphas(found: Sequence[Agreement]) -> Spec | None:
    """Alpha of each question, with its interval."""
    return _means([(row.question, row.alpha) for row in found], "alpha")


def raters(found: Sequence[RaterAgreement]) -> Spec | None:
    """Each rater's agreement with the others."""
    own = {row.rater: row.own for row in found if not math.isnan(row.own.estimate)}
    return _means(sorted(own.items(), key=lambda row: row[1].estimate), "agreement with the others")


def _means(rows: Sequence[tuple[str, Estimate]], title: str) -> Spec | None:
    known = [(name, figure) for name, figure in rows if not math.isnan(figure.estimate)]
    if not known:
        return None
    ends = [end for _, row in known[:MOST_BARS] for end in (row.estimate, *row.interval)]
    low = min(_WORST, *(end for end in ends if not math.isnan(end)))
    return charts.means(known[:MOST_BARS], title=title, range=(max(low, -1.0), 1.0))


def confused(found: Answered, rater: str, other: str | None) -> Spec | None:
    """How often a rater's answers meet another's, or everybody else's."""
    counts = confusion(found, rater, other)
    answers = list(scale_of(found.question))
    if not counts or len(answers) > MOST_ANSWERS:
        return None
    return charts.confusion(
        counts, answers=answers, x_title="all others" if other is None else other, y_title=rater
    )

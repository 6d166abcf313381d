"""How a judge's correlation with people compares with what raters reach among themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assize.agreement.rows import JudgePair, RaterFigures
from assize.judgments.answers import PEOPLE
from assize.results import Estimate
from assize.results.numbers import with_interval


def compare_with_raters(
    pairs: Sequence[JudgePair], raters: Sequence[RaterFigures]
) -> Iterator[str]:
    """Yield, for each judge that is held to people, its correlation beside the raters' own.

    A rater is held to the mean of the other raters, the judge to the mean of all: with few raters
    the judge's figure is slightly favoured.
    """
    for pair in pairs:
        if pair.second != PEOPLE or pair.spearman is None:
            continue
        own = f"{pair.question}: {pair.first} and people: Spearman {_figure(pair.spearman)}."
        ranked = sorted(
            (row.correlation.estimate, row.rater, row.correlation)
            for row in raters
            if row.question == pair.question
            and row.correlation is not None
            and row.correlation.estimate == row.correlation.estimate
        )
        if not ranked:
            yield f"{own} What raters reach among themselves is known from three raters on."
            continue
        (_, lowest, least), (_, highest, most) = ranked[0], ranked[-1]
        yield (
            f"{own} A rater and the mean of the others: from {_figure(least)} ({lowest}) to"
            f" {_figure(most)} ({highest}). For items that nobody rated: a judge that reaches the"
            " raters' figures orders items as well as one more rater would; below them, one more"
            " rater tells more than it does."
        )


def _figure(estimate: Estimate) -> str:
    return f"{with_interval(estimate, 2)}, n {estimate.n:,}"

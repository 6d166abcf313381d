"""How far a curve can be trusted: its band, and the intervals of its mean and of differences.

Band ends are quantiles of the replicates (`resampling`) at each point. The kernel stays that of
the whole, so a band is that of the smoothed density. In the disaggregated view no answers are
drawn: a drawn answer is one of few, and would not be a replicate of the expected answers whose
density is shown; conversations are drawn with all their raters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.base.signature import sign
from assize.results import to_json
from assize.stats._resampling import percentile_ends
from assize.web._dashboard.figures.charts import METHOD, Look, chart_of, numbers_of, rounded
from assize.web._dashboard.figures.panels import panel_of
from assize.web._dashboard.figures.replicates import counts_apart, counts_together
from assize.web._dashboard.figures.resampling import Drawing, Drawn, Resampler
from assize.web._dashboard.prepared.view import FloatArray, View


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """How far one curve can be trusted.

    Args:
        low, high: (P,) ends at each point.
        middle: (P,) the replicates' median; where answers are drawn it is wider than the curve,
            as means of answers vary more than means of expected answers.
        mean: interval of the mean; NaN where there is none.
        apart: interval of the mean less that of the first curve; NaN of the first itself.
    """

    name: str
    low: FloatArray
    middle: FloatArray
    high: FloatArray
    mean: tuple[float, float]
    apart: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Bands:
    """The bands of one chart, of that kind."""

    bands: tuple[Band, ...]
    kind: str
    drawn: Drawn


def bands_to_json(bands: Bands) -> dict[str, Any]:
    """Return bands as a page's script reads them, and as they are kept."""
    rows = [
        {
            "name": band.name,
            "low": rounded(band.low),
            "middle": rounded(band.middle),
            "high": rounded(band.high),
            "mean": to_json(band.mean),
            "apart": to_json(band.apart),
        }
        for band in bands.bands
    ]
    return {"bands": rows, "kind": bands.kind, "drawn": to_json(bands.drawn)}


def bands_of(view: View, look: Look, how: Drawing, seed: int) -> Bands:
    """The bands of `chart_of`.

    Args:
        seed: with the look it decides every draw.
    """
    chart, found = chart_of(view, look), numbers_of(view, look)
    rng = np.random.default_rng([seed, int(sign(look.said), 16)])
    kept = how.without_answers() if look.disaggregated else how
    draws = Resampler(view.cells(look.question), panel_of(view, look.panel), view.size, kept, rng)
    count = counts_apart if look.disaggregated else counts_together
    counts = count(draws, chart.grid, found.code, len(found.names))
    heights = chart.shape.of(counts)  # (B, S, P)
    with np.errstate(invalid="ignore"):
        means = counts @ chart.grid.centres / counts.sum(axis=2)  # (B, S)
    tails = [(1 - how.confidence) / 2, 0.5, (1 + how.confidence) / 2]
    bands = []
    for at, name in enumerate(found.names):
        low, middle, high = np.full((3, heights.shape[2]), np.nan)
        if chart.curves[at].n:
            low, middle, high = np.quantile(heights[:, at], tails, axis=0)
        bands.append(
            Band(
                name,
                low,
                middle,
                high,
                percentile_ends(means[:, at], how.confidence).interval,
                percentile_ends(means[:, at] - means[:, 0], how.confidence).interval,
            )
        )
    told = draws.told(seed, METHOD, view.made_of, look.said)
    return Bands(tuple(bands), chart.shape.kind, told)

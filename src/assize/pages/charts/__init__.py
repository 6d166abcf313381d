"""Charts: small functions that return Vega-Lite specs; `svg` draws any of them.

A builder takes plain numbers and names and returns a dict; `svg` renders it in this
process, with no request to anywhere. Colours are those of `INK` and `SERIES`; in the
SVG each becomes a CSS variable with the colour as fallback, so that a page can change
them for the dark. Every builder sets `description`, which becomes the text alternative.
"""

from assize.pages.charts.bars import counts, grouped, means, shares
from assize.pages.charts.crosses import Cross, crosses
from assize.pages.charts.distributions import histogram, scatter
from assize.pages.charts.grids import agreement_matrix, confusion, heatmap
from assize.pages.charts.lines import Curve, curves, reliability
from assize.pages.charts.parts import ramp
from assize.pages.charts.windows import Cuts, class_histograms, precision_curves
from assize.pages.drawing import INK, RAMP, SERIES, Link, Spec, require, svg

__all__ = [
    "INK",
    "RAMP",
    "SERIES",
    "Cross",
    "Curve",
    "Cuts",
    "Link",
    "Spec",
    "agreement_matrix",
    "class_histograms",
    "confusion",
    "counts",
    "crosses",
    "curves",
    "grouped",
    "heatmap",
    "histogram",
    "means",
    "precision_curves",
    "ramp",
    "reliability",
    "require",
    "scatter",
    "shares",
    "svg",
]

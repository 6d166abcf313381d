"""Charts of a selection: precision by threshold, scores by class, the weights of sharpness."""

from __future__ import annotations

from assize.criteria._criterion import Labelling
from assize.criteria._selected import SelectedCriteria
from assize.pages import charts
from assize.pages.criteria.figures import cuts_of, netsat, precision
from assize.pages.result_page import Charts
from assize.results import Mean


def draw_selected(result: SelectedCriteria) -> Charts:
    """Return the curves of the set, its scores by class, and what each weight labels."""
    labelling, folds = result.labelling, result.held_out
    cuts = cuts_of(labelling)
    curves = (
        "Precision of each label at every threshold (solid), on the conversations that the criteria"
        f" were chosen on, and the tanh that sharpness compares it with (dashed)."
        f" {_shaded(labelling)}"
    )
    classes = "NetSAT by class, " + (
        "on the conversations that the criteria were chosen on."
        if folds is None
        else "each fold scored by criteria that were chosen without it."
    )
    nets = result.nets if folds is None else folds.nets
    drawn = {
        "figures": [(precision(result.curves, cuts, labelling.precision), curves)],
        "scores by class": [(netsat(nets, result.good_items, cuts), classes)],
    }
    if result.tuned is not None:
        rows = [(f"{tried.weight:g}", Mean(tried.yielded)) for tried in result.tuned.tried]
        spec = charts.means(rows, title="share labelled", format="~%")
        caption = "Share of held-out conversations that can be labelled, by weight."
        drawn["weights"] = [(spec, caption)]
    return drawn


def _shaded(labelling: Labelling) -> str:
    if labelling.low is not None and labelling.low == labelling.high:
        return (
            f"Nothing is left open: scores above {labelling.low:g} are called good, all others bad."
        )
    wanted = f"{100 * labelling.precision:g}%"
    return f"Shaded: scores that are left open, because no label there reaches {wanted} precision."

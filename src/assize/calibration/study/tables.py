"""A study's figures as rows of tables, for the terminal and the report."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.calibration.study.run import CURVE, Study
from assize.calibration.study.systems import Cell
from assize.stats import Estimate
from assize.studies import LOSSES, MEASURES, Figure, MethodTable, Spread, counts
from assize.studies.compare_methods import CROSS_VALIDATED

Rows = tuple[list[str], list[list[str]]]

BASES = ("default", "network")  # the first that is there is what a table compares with
BOUNDS = ("oracles", "worth")  # groups that know what no method can: nobody's best


def shown(value: float, digits: int = 3) -> str:
    """A number; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def p_value(value: float) -> str:
    """A p-value; a dash where there is none."""
    return "<0.001" if value < 0.0005 else shown(value)


def counted(n: int, noun: str) -> str:
    """A number of things: `1 seed`, `1,200 forms`."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def with_spread(figure: Figure) -> str:
    """The estimate and its standard deviation over the seeds: `0.757 ± 0.012`."""
    spread = "" if math.isnan(figure.spread) else f" ± {shown(figure.spread)}"
    return shown(figure.estimate) + spread


def with_interval(found: Figure | Estimate) -> str:
    """The estimate and its interval: `0.757 [0.712, 0.803]`."""
    low, high = found.interval
    ends = "" if math.isnan(low) else f" [{shown(low)}, {shown(high)}]"
    return shown(found.estimate) + ends


def base(study: Study) -> str:
    """The method that the others are compared with in a table; "" where it was not run."""
    names = [row.name for row in study.rows]
    return next((name for name in BASES if name in names), "")


def part_name(study: Study, part: MethodTable) -> str:
    """What forms a part is of, and how they were held out: for titles."""
    return part.name if part.name != CROSS_VALIDATED else f"{part.name}, {study.data.folds}"


def loss_of(study: Study) -> str:
    """The loss by which methods are compared: squared error, where answers are ordered."""
    return "squared error" if study.data.forms.target.ordered else "log loss"


def main_rows(study: Study, part: MethodTable) -> dict[str, Rows]:
    """Every method with every measure, a table a group.

    `n` are the forms predicted, of all where some are unscored. `p` says whether losses
    (`loss_of`) differ from those of `base`, Holm-corrected for all the methods of the study.
    """
    names = part.measured
    header = ["method", *(measure.short for measure in names.values()), "n", "p"]
    found: dict[str, Rows] = {}
    against = part.against(base(study), loss_of(study))
    for row in study.rows:
        each = part.figures[row.name]
        n, unscored = counts(each)
        said = f"{n:,} of {n + unscored:,}" if unscored else f"{n:,}"
        p = p_value(against.get(row.name, math.nan))
        cells = [row.name, *(shown(each[name].estimate) for name in names), said, p]
        found.setdefault(row.group, (header, []))[1].append(cells)
    return found


def references(study: Study, part: MethodTable, loss: str) -> list[str]:
    """`base`, and the method with the least loss that is no bound; each once."""
    best = part.best(loss, but=BOUNDS)
    measure = LOSSES[loss].measure
    known = [row.name for row in study.rows
             if not math.isnan(part.figures[row.name][measure].estimate)]  # fmt: skip
    return [name for name in dict.fromkeys((base(study), best)) if name in known]


def against_rows(study: Study, part: MethodTable, loss: str) -> Rows:
    """Every method's mean loss less that of each of `references`, with the p-value of all pairs."""
    others = references(study, part, loss)
    gaps = [part.gaps(other, loss) for other in others]
    header = ["method", *(name for other in others for name in (f"less {other}", "p"))]
    rows = []
    for row in study.rows:
        found = [one.get(row.name) for one in gaps]
        if any(one is not None for one in found):
            cells = [("–", "–") if one is None else (f"{one[0]:+.3f}", p_value(one[1]))
                     for one in found]  # fmt: skip
            rows.append([row.name, *(text for pair in cells for text in pair)])
    return header, rows


def reliability_rows(study: Study) -> Rows:
    """Smooth calibration error of each answer's probability, cross-validated."""
    answers = study.data.forms.target.question.answers
    header = ["method", *answers]
    rows = [
        [name, *(shown(one.error.estimate) for one in found)]
        for name, found in study.reliability.items()
        if found
    ]
    return header, rows


def question_rows(study: Study, measure: str) -> Rows:
    """Every question as the target, a column each: one measure of each method."""
    asked = {
        question: rows
        for question, rows in study.questions.items()
        if any(not math.isnan(found[measure].estimate) for found in rows.values())
    }
    names = list(dict.fromkeys(name for rows in asked.values() for name in rows))
    rows = [
        [name, *(shown(found[name][measure].estimate) if name in found else "–"
                 for found in asked.values())]
        for name in names
    ]  # fmt: skip
    return ["method", *asked], rows


def curve_rows(study: Study, digits: int = 3) -> Rows:
    """The learning curve: mean and 5-95% of the subsamples, (n) where not all gave a figure."""
    names = [
        name
        for name in CURVE
        if any(not math.isnan(one.measures[name].mean) for one in study.curve)
    ]
    rows = []
    for point in study.curve:
        figures = [_spread(point.measures[name], point.subsamples, digits) for name in names]
        rows.append([point.method, f"{point.rows:,}", *figures])
    return ["method", "forms", *(MEASURES[name].title for name in names)], rows


def _spread(found: Spread, subsamples: int, digits: int) -> str:
    if found.n == 0:
        return "–"
    ends = f"[{shown(found.low, digits)}, {shown(found.high, digits)}]"
    some = f" ({found.n})" if found.n < subsamples else ""
    return f"{shown(found.mean, digits)} {ends}{some}"


def repeated(study: Study) -> str:
    """Where subsamples are the same again, in words; "" where all differ."""
    found = {
        point.rows: f"{point.distinct} at {counted(point.rows, 'form')}"
        for point in study.curve
        if point.distinct < point.subsamples
    }
    if not found:
        return ""
    return (
        f"Of the {study.curve[0].subsamples} subsamples, not all are different:"
        f" {', '.join(found.values())}. Their spread is less than that of new forms."
    )


def notes(study: Study) -> list[str]:
    """What is counted twice, left out, or held out together."""
    forms, folds = study.data.forms, study.data.folds
    unmatched, found = len(forms.unmatched or ()), []
    if forms.duplicates:
        found.append(f"{counted(forms.duplicates, 'form')} by a rater about an item that they had"
                     " rated before; all count.")  # fmt: skip
    if unmatched:
        found.append(f"{counted(unmatched, 'rated item')} without answers by a model: left out.")
    if forms.not_applicable:
        found.append(f"{counted(forms.not_applicable, 'rating')} NA: the question does not apply;"
                     " left out of fit and evaluation.")  # fmt: skip
    if forms.unscored:
        found.append(f"{counted(forms.unscored, 'rating')} without an answer: left out.")
    if folds.ungrouped:
        found.append(f"{counted(folds.ungrouped, 'item')} in no group by {folds.by}:"
                     " held out together.")  # fmt: skip
    return found


def saved_rows(study: Study) -> Rows:
    """What an adaptive rubric saves, beside the first questions of a fixed order."""
    header = ["rule", "stops", "calls", "saved", "RMSE", "r", "loss"]
    rows = []
    for one in study.saved:
        if one.least is None:
            at = f"after {counted(one.most or 0, 'question')}"
        else:
            at = f"gain < {one.least:g}" if one.least else "all is asked"
        share = 1 - one.calls / one.all_calls
        figures = [shown(value) for value in (one.rmse, one.pearson, one.log_loss)]
        rows.append([one.rule, at, shown(one.calls, 2), f"{100 * share:.0f}%", *figures])
    return header, rows


def system_rows(cells: Sequence[Cell], source: str) -> Rows:
    """Mean, deviation and n of every question by system, as one source answered."""
    kept = [cell for cell in cells if cell.source == source]
    systems = list(dict.fromkeys(cell.system for cell in kept))
    found = {(cell.question, cell.system): cell for cell in kept}
    rows = []
    for question in dict.fromkeys(cell.question for cell in kept):
        row = [question]
        for system in systems:
            cell = found[question, system]
            spread = "" if math.isnan(cell.deviation) else f" ±{shown(cell.deviation, 2)}"
            row.append(f"{shown(cell.mean.estimate, 2)}{spread} ({cell.mean.n:,})")
        rows.append(row)
    return ["question", *systems], rows


def sources(cells: Sequence[Cell]) -> list[str]:
    """People first, then models."""
    return list(dict.fromkeys(cell.source for cell in cells))

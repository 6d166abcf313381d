"""A study's figures as rows of tables, for the terminal and the report."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.calibration.study.measures import Figure, Pairing
from assize.calibration.study.run import CROSS_VALIDATED, Part, Study
from assize.calibration.study.systems import Cell
from assize.stats import Estimate

Rows = tuple[list[str], list[list[str]]]

BASES = ("default", "network")  # the first that is there is what a table compares with
LOSS = "squared error"
LEVEL = 0.05

TITLES = {
    "rmse": "RMSE",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "log_loss": "log loss",
}


SHORT = {"rmse": "RMSE", "pearson": "r", "spearman": "rho", "kendall": "tau", "log_loss": "loss"}


def shown(value: float, digits: int = 3) -> str:
    """A number; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


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


def part_name(study: Study, part: Part) -> str:
    """What forms a part is of, and how they were held out: for titles."""
    return part.name if part.name != CROSS_VALIDATED else f"{part.name}, {study.data.folding}"


def main_rows(study: Study, part: Part) -> dict[str, Rows]:
    """Every method with every measure, a table a group.

    `p` says whether its squared errors differ from those of `base`, Holm-corrected for
    all the methods of the study.
    """
    header = ["method", *SHORT.values(), "n", "p"]
    found: dict[str, Rows] = {}
    against = part.against(base(study), LOSS)
    for row in study.rows:
        each = part.figures[row.name]
        figures = [shown(each[name].estimate) for name in SHORT]
        p = against.get(row.name, math.nan)
        said = "<0.001" if p < 0.0005 else shown(p)
        cells = [row.name, *figures, str(each["pearson"].n), said]
        found.setdefault(row.group, (header, []))[1].append(cells)
    return found


def better_rows(study: Study, part: Part, loss: str) -> Rows:
    """For each method, those whose loss is significantly higher, and lower, than its own."""
    tests = [one for one in part.tests if one.loss == loss and one.p_holm < LEVEL]
    header = ["method", "better than", "worse than"]
    rows = []
    for row in study.rows:
        better = _names(row.name, tests, better=True)
        worse = _names(row.name, tests, better=False)
        if better or worse:
            rows.append([row.name, better or "–", worse or "–"])
    return header, rows


def _names(name: str, tests: Sequence[Pairing], *, better: bool) -> str:
    found = []
    for one in tests:
        if name not in (one.first, one.second):
            continue
        lower = one.first if one.test.statistic < 0 else one.second
        if (lower == name) == better:
            found.append(one.second if one.first == name else one.first)
    return "; ".join(found)


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
    """Every question as the target: one measure of each method."""
    names = list(dict.fromkeys(name for rows in study.questions.values() for name in rows))
    rows = [
        [
            question,
            *(shown(found[name][measure].estimate) if name in found else "–" for name in names),
        ]
        for question, found in study.questions.items()
    ]
    return ["question", *names], rows


def curve_rows(study: Study) -> Rows:
    """The learning curve: mean and 5-95% of the subsamples."""
    header = ["method", "forms", "RMSE", "Pearson", "log loss"]
    rows = [
        [
            point.method,
            str(point.forms),
            *(
                f"{shown(one.mean)} [{shown(one.low)}, {shown(one.high)}]"
                for one in (point.rmse, point.pearson, point.log_loss)
            ),
        ]
        for point in study.curve
    ]
    return header, rows


def saved_rows(study: Study) -> Rows:
    """What an adaptive rubric saves, beside the first questions of a fixed order."""
    header = ["rule", "stops at", "calls", "saved", "RMSE", "Pearson", "log loss"]
    rows = []
    for one in study.saved:
        at = f"{one.most} questions" if one.least is None else f"gain < {one.least:g}"
        share = 1 - one.calls / one.all_calls
        figures = [shown(value) for value in (one.rmse, one.pearson, one.log_loss)]
        rows.append([one.rule, at, shown(one.calls, 2), f"{100 * share:.0f}%", *figures])
    return header, rows


def system_rows(cells: Sequence[Cell], source: str, *, n: bool = True) -> Rows:
    """Mean and deviation of every question by system, with n, as one source answered."""
    kept = [cell for cell in cells if cell.source == source]
    systems = list(dict.fromkeys(cell.system for cell in kept))
    found = {(cell.question, cell.system): cell for cell in kept}
    rows = []
    for question in dict.fromkeys(cell.question for cell in kept):
        row = [question]
        for system in systems:
            cell = found[question, system]
            said = shown(cell.mean.estimate, 2)
            if cell.mean.n > 1:
                said += f" ±{shown(cell.deviation, 2)}"
            row.append(f"{said} ({cell.mean.n})" if n else said)
        rows.append(row)
    return ["question", *systems], rows


def sources(cells: Sequence[Cell]) -> list[str]:
    """People first, then models."""
    return list(dict.fromkeys(cell.source for cell in cells))

"""A study's figures as tables, for a terminal, a page and a notebook."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from assize.calibration.study.nested_search import FEWEST
from assize.calibration.study.run import CURVE, Study
from assize.calibration.study.systems import Cell as SystemCell
from assize.results import Column, Mean, ResultTable, columns, with_rows
from assize.results.escape import shortened
from assize.results.numbers import counted
from assize.studies import LOSSES, MEASURES, MethodTable
from assize.studies.compare_methods import CROSS_VALIDATED
from assize.studies.tables import curve_table, figures_table, gaps_table

BASES = ("default", "network")  # the first that is there is what a table compares with
BOUNDS = ("oracles", "worth")  # groups that know what no method can: nobody's best


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


def tables_of(study: Study) -> dict[str, ResultTable]:
    """By part (and its `PART by LOSS`), `reliability`, `curve`, `saved`, `question MEASURE`,
    `system SOURCE`; those that hold anything."""
    found: dict[str, ResultTable] = {}
    for part in study.parts:
        found[part.name] = main_table(study, part)
        for loss in LOSSES:
            gaps = gaps_table(part, references(study, part, loss), loss)
            found[f"{part.name} by {loss}"] = gaps
    found["reliability"] = _reliability(study)
    found["curve"] = curve_table(study.curve, "form")
    found["saved"] = _saved(study)
    found |= {f"question {name}": _by_question(study, name) for name in CURVE}
    found |= {
        f"system {source}": system_table(study.systems, source, study.options.by)
        for source in dict.fromkeys(cell.source for cell in study.systems)
    }
    return with_rows(found)


def shown(study: Study) -> dict[str, ResultTable]:
    """The tables but those that a page alone has room for: every pair of methods by loss, and
    systems that nobody asked for."""
    pairs = tuple(f" by {loss}" for loss in LOSSES)
    return {
        name: one
        for name, one in study.tables.items()
        if not name.endswith(pairs) and (study.options.system_of or not name.startswith("system "))
    }


def main_table(study: Study, part: MethodTable) -> ResultTable:
    """Every method with every measure, by group; `p` against `base`, Holm-corrected."""
    found = figures_table(part, base(study), loss_of(study))
    seeds = len(study.data.folds.seeds)
    over = f"Means over {counted(seeds, 'seed')}" if seeds > 1 else "At one seed"
    notes = [
        "r, rho, tau: Pearson, Spearman, Kendall; loss: log loss.",
        f"{over}, {study.data.folds}; {found.notes[0]}",
        *found.notes[1:],
    ]
    title = f"{study.data.forms.target.id}, {part_name(study, part)}"
    return replace(found, title=title, notes=notes)


def references(study: Study, part: MethodTable, loss: str) -> list[str]:
    """`base`, and the method with the least loss that is no bound; each once."""
    best = part.best(loss, but=BOUNDS)
    measure = LOSSES[loss].measure
    known = [
        row.name for row in study.rows if not math.isnan(part.figures[row.name][measure].estimate)
    ]
    return [name for name in dict.fromkeys((base(study), best)) if name in known]


def _reliability(study: Study) -> ResultTable:
    """Smooth calibration error of each answer's probability, cross-validated."""
    answers = study.data.forms.target.question.answers
    rows = [
        (name, *(one.error for one in found)) for name, found in study.reliability.items() if found
    ]
    named = [Column("method"), *columns("number", *answers, ends="none")]
    return ResultTable("Smooth calibration error of each answer", named, rows)


def _by_question(study: Study, measure: str) -> ResultTable:
    """Every question as the target, a column each: one measure of each method."""
    asked = {
        question: rows
        for question, rows in study.questions.items()
        if any(not math.isnan(found[measure].estimate) for found in rows.values())
    }
    names = dict.fromkeys(name for rows in asked.values() for name in rows)
    rows = [
        (name, *(found[name][measure] if name in found else math.nan for found in asked.values()))
        for name in names
    ]
    named = [Column("method"), *columns("number", *asked, ends="none")]
    note = f"Each question being the target in turn; {study.data.folds}."
    return ResultTable(f"Every question: {MEASURES[measure].title}", named, rows, [note])


def notes(study: Study) -> list[str]:
    """What is counted twice, left out, or held out together."""
    forms, folds = study.data.forms, study.data.folds
    unmatched, found = len(forms.unmatched or ()), []
    if forms.duplicates:
        found.append(
            f"{counted(forms.duplicates, 'form')} by a rater about an item that they had"
            " rated before; all count."
        )
    if unmatched:
        found.append(f"{counted(unmatched, 'rated item')} without answers by a model: left out.")
    if forms.not_applicable:
        found.append(
            f"{counted(forms.not_applicable, 'rating')} NA: the question does not apply;"
            " left out of fit and evaluation."
        )
    if forms.unscored:
        found.append(f"{counted(forms.unscored, 'rating')} without an answer: left out.")
    if folds.ungrouped:
        found.append(
            f"{counted(folds.ungrouped, 'item')} in no group by {folds.by}: held out together."
        )
    if any(row.name == "network" for row in study.rows):
        found.append(_of_settings(study))
    for why in dict.fromkeys(study.left_out.values()):
        names = ", ".join(name for name, said in study.left_out.items() if said == why)
        found.append(f"Left out: {names} ({why}).")
    return found


def _of_settings(study: Study) -> str:
    """Where the networks' settings come from."""
    grid = study.data.grid
    if grid is None or not study.data.searches:
        why = "" if grid is None else f" (a search needs {FEWEST} folds)"
        one = study.data.setting
        epochs = f"{one.pretrain} + {one.finetune} epochs"
        return (
            f"Networks at one setting{why}: first weights of deviation {one.initial:g}, {epochs}."
        )
    starts = ", ".join(f"{one:g}" for one in grid.starts)
    return (
        f"Each network's setting is searched anew in every split, of {len(grid)} (first weights of"
        f" deviation {starts}); `network as released` has one."
    )


def _saved(study: Study) -> ResultTable:
    """What an adaptive rubric saves, beside the first questions of a fixed order."""
    rows = []
    for one in study.saved:
        if one.least is None:
            at = f"after {counted(one.most or 0, 'question')}"
        else:
            at = f"gain < {one.least:g}" if one.least else "all is asked"
        share = 1 - one.calls / one.all_calls
        rows.append((one.rule, at, one.calls, share, one.rmse, one.pearson, one.log_loss))
    named = columns("words", "rule", "stops") + columns("number", "calls", digits=2)
    named += columns("percent", "saved", digits=0, unit="%")
    named += columns("number", *(MEASURES[name].short for name in CURVE))
    note = (
        "An adaptive rubric asks next what is expected to take most off the variance of the"
        " main score (on the target's scale, squared), and stops where that is too little."
        " Predictions average over what the model might have answered to the rest."
    )
    return ResultTable("Adaptive rubric: calls saved against accuracy", named, rows, [note])


def system_table(cells: Sequence[SystemCell], source: str, by: str = "system") -> ResultTable:
    """Mean, deviation and n of every question by system, as one source answered."""
    kept = [cell for cell in cells if cell.source == source]
    systems = list(dict.fromkeys(cell.system for cell in kept))
    found = {(cell.question, cell.system): cell for cell in kept}
    rows = []
    for question in dict.fromkeys(cell.question for cell in kept):
        row = [found[question, system] for system in systems]
        means = [Mean(one.mean.estimate, spread=one.deviation, n=one.mean.n) for one in row]
        rows.append((question, *means))
    named = [Column("question")]
    named += columns("number", *map(shortened, systems), digits=2, counted=True)
    note = "Mean ± standard deviation (n). ID=ANSWER is the share of one unordered answer."
    return ResultTable(f"By {by}: {source}", named, rows, [note])

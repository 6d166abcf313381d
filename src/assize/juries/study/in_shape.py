"""Ours in the shape of AMULET's tables: what the data determine, and why the rest is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.errors import DataError
from assize.juries.names import parse_cascade
from assize.juries.outcome import RESULTS
from assize.juries.study.methods import head_of, model_of
from assize.juries.study.published import FORMS, MODELS, REWARDS, SETS, TABLES, Figures, Published
from assize.juries.study.sitting import Place, Sitting, judges_of
from assize.juries.study.studied import JuryStudy
from assize.results import Column, ResultTable, columns
from assize.results.numbers import NONE, counted
from assize.results.types import NAN
from assize.stats import Estimate, wilson

_AS_PRINTED: Mapping[str, Any] = {"digits": 1, "ends": "none"}
_NO = "there are no judgments "  # of a data set, by a judge
_NAMED = 6  # cells that a note names


@dataclass(frozen=True)
class ShapedCell:
    """One cell: ours, or why there is none, beside what is printed.

    Args:
        row, column: the printed labels.
        ours: one share, or win, tie and loss; none where the data do not determine it.
        printed: in percent, put right where the paper is known to be wrong.
        sat: whose votes ours are, in full.
    """

    row: str
    column: str
    ours: tuple[Estimate, ...]
    printed: Figures
    reason: str | None = None
    sat: tuple[str, ...] = ()

    @property
    def same(self) -> bool | None:
        """Whether ours rounds to what is printed; None where there is none."""
        return None if not self.ours else self.rounded == self.printed

    @property
    def rounded(self) -> Figures:
        """Ours in percent, with one decimal as printed."""
        return tuple(float(f"{100 * one.estimate:.1f}") for one in self.ours)

    def to_json(self) -> dict[str, Any]:
        """Ours with counts and intervals, and what is printed."""
        ours: Any = None if not self.ours else self.ours[0].to_share()
        if len(self.ours) > 1:
            ours = {name: one.to_share() for name, one in zip(RESULTS, self.ours, strict=True)}
        printed = self.printed[0] if len(self.printed) == 1 else list(self.printed)
        said = {"ours": ours, "printed": printed, "same": self.same}
        if self.sat:
            said["judges"] = list(self.sat)
        return said if self.reason is None else said | {"reason": self.reason}


def cells(study: JuryStudy, table: Published) -> list[ShapedCell]:
    """All cells of a printed table, ours beside theirs."""
    found = []
    for row, column, what, printed in table.cells():
        ours, reason, sat = _figures(study, what)
        found.append(ShapedCell(row.label, column.label, ours, printed, reason, sat))
    return found


def _figures(
    study: JuryStudy, what: Mapping[str, Any]
) -> tuple[tuple[Estimate, ...], str | None, tuple[str, ...]]:
    """The figures of one cell, or why there are none; and whose votes they are."""
    data = next((one for one in study.sets if one.name.upper() == what["data"]), None)
    if data is None:
        return (), f"{_NO}of {what['data']}", ()
    try:
        method, model = _who(study, judges_of(data.table, study.settings.gold), what)
    except DataError as error:
        return (), error.problem, ()
    sitting = study.at(Place(data.name, method, model, what["least"]))
    if sitting.result is None and method not in {one.written for one in study.methods}:
        return (), f"{_NO}by {method}", ()
    ours, reason = _of(sitting, what["figure"])
    sat = sitting.result.judges if ours and sitting.result is not None else ()
    return ours, reason, sat


def _who(study: JuryStudy, known: Sequence[str], what: Mapping[str, Any]) -> tuple[str, str | None]:
    """The jury of a cell as the study has it, and the model whose judges sit there.

    Raises:
        DataError: who it is cannot be told.
    """
    names, model = parse_cascade(str(what["method"])), None
    if not all(one.startswith("{") for one in names):
        fits = [one for one in study.models if is_model(one, what["model"])]
        model = _only(
            [one for one in fits if any(model_of(name) == one for name in known)], what["model"]
        )
    return " > ".join(_seated(name, model, known) for name in names), model


def _seated(name: str, model: str | None, known: Sequence[str]) -> str:
    """Who sits for a name of the tables: a reward model, or the form of a judge that is there."""
    if name.startswith("{"):
        name = name.strip("{}")
        return _only([one for one in known if REWARDS[name] in one.lower()], name)
    mine = {head_of(one) for one in known if model_of(one) == model}
    return next((one for one in FORMS.get(name, ()) if one in mine), name)


def _only(found: Sequence[str], name: str) -> str:
    """Raises DataError where there is none, or where there are several."""
    if not found:
        raise DataError(f"{_NO}by {name}")
    if len(found) > 1:
        raise DataError(f"{name} could be any of {', '.join(found)}")
    return found[0]


def is_model(target: str, name: str) -> bool:
    """Whether a judge's model is one of the paper's, by the end of its name.

    >>> is_model("openai:gpt-4o-2024-08-06", "GPT-4O"), is_model("openai:gpt-4o-mini", "GPT-4O")
    (True, False)
    """
    own = target.partition("#")[0].lower()  # without a signature's mark
    return re.search(rf"(?<![a-z0-9_-]){MODELS[name]}$", own) is not None


def _of(sitting: Sitting, figure: str) -> tuple[tuple[Estimate, ...], str | None]:
    result = sitting.result
    if result is None or result.outcome.jury is None:
        return (), sitting.share().reason
    outcome, n = result.outcome, result.outcome.n
    if figure == "win":
        return (sitting.share(),), None
    if figure == "split":
        return tuple(sitting.share(name) for name in RESULTS), None
    if figure == "alone":
        return (wilson(outcome.judges[result.judges[-1]].right_alone, n),), None
    return (wilson(outcome.paths.get(figure, 0), n),), None


def paper_tables(study: JuryStudy) -> dict[str, ResultTable]:
    """The tables in the paper's shape, by `table_2` and so on, and `printed`: how they compare."""
    each = {number: cells(study, one) for number, one in TABLES.items()}
    found = {f"table_{number}": _shaped(TABLES[number], own) for number, own in each.items()}
    return found | {"printed": _printed(each, _others(study))}


def _shaped(table: Published, own: Sequence[ShapedCell]) -> ResultTable:
    """One table: `59.8` or `59.8 / 15.9 / 24.3` as printed, a dash where there is nothing."""
    width, labels = len(table.columns), [one.label for one in table.columns]
    split = any(len(one.printed) > 1 for one in own)
    head = columns("words", *labels) if split else columns("percent", *labels, **_AS_PRINTED)
    shown = _text if split else _share
    rows = [(own[at].row, *map(shown, own[at : at + width])) for at in range(0, len(own), width)]
    notes = [*table.notes, *_sat(own), *_reasons(own)]
    title = f"Table {table.number}: {table.title}, %"
    return ResultTable(title, [Column(table.head), *head], rows, notes)


def _share(cell: ShapedCell) -> Estimate:
    return cell.ours[0] if cell.ours else Estimate(NAN, reason=cell.reason)


def _text(cell: ShapedCell) -> str:
    return " / ".join(f"{one:.1f}" for one in cell.rounded) if cell.ours else NONE


def _sat(own: Sequence[ShapedCell]) -> list[str]:
    """Whose votes a table's figures are, and what their names leave open."""
    each = sorted({name for one in own for name in one.sat})
    if not each:
        return []
    heads = [head_of(one) for one in each]
    plain = [(one[-1], one[0]) for one in FORMS.values() if one[-1] in heads]
    notes = [f"Votes by {', '.join(each)}."]
    if plain:
        names, theirs = (", ".join(one) for one in zip(*plain, strict=True))
        notes.append(
            f"{names}: AMULET's own answers where these were imported, else by prompts of assize;"
            f" the paper's prompts are those of {theirs}."
        )
    return notes


def _reasons(own: Sequence[ShapedCell]) -> list[str]:
    """Why cells are missing, each kind of reason once with all that it names."""
    found: dict[str, list[str]] = {}
    for one in own:
        if one.reason is not None:
            kind, _, name = one.reason.partition(_NO)[2].partition(" ")
            found.setdefault(kind if name else one.reason, []).append(name)
    return [
        f"{NONE} ({counted(len(names), 'cell')}): "
        + (f"{_NO}{kind} {', '.join(dict.fromkeys(names))}." if names[0] else f"{kind}.")
        for kind, names in found.items()
    ]


def _printed(each: Mapping[int, Sequence[ShapedCell]], more: Sequence[str]) -> ResultTable:
    """By table: its figures, those that the data determine, and how many are as printed."""
    rows, others = [], []
    for number, own in each.items():
        known = [one for one in own if one.ours]
        same = [one for one in known if one.same]
        rows.append((f"{number}: {TABLES[number].title}", len(own), len(known), len(same)))
        others += [_differs(number, one) for one in known if not one.same]
    head = [Column("table"), *columns("count", "cells", "determined here", "as printed")]
    notes = [f"Not as printed: {one}." for one in others[:_NAMED]]
    if len(others) > _NAMED:
        notes.append(f"{len(others) - _NAMED:,} further cells differ; --json has all.")
    return ResultTable("Against the printed figures", head, rows, [*notes, *more])


def _others(study: JuryStudy) -> list[str]:
    """Models that are here and in none of the paper's columns."""
    other = [one for one in study.models if not any(is_model(one, name) for name in MODELS)]
    return [f"In no cell, for the paper has other models: {', '.join(other)}."] if other else []


def _differs(number: int, one: ShapedCell) -> str:
    printed = " / ".join(map(str, one.printed))
    return f"table {number}, {one.row}, {one.column}: {_text(one)}, printed {printed}"


def paper_json(study: JuryStudy) -> dict[str, Any]:
    """Every printed cell with ours, by table, row and column."""
    found: dict[str, Any] = {}
    for number, table in TABLES.items():
        rows: dict[str, Any] = {}
        for one in cells(study, table):
            rows.setdefault(one.row, {})[one.column] = one.to_json()
        found[str(number)] = {"title": table.title, "rows": rows, "notes": list(table.notes)}
    return found


def is_paper_s(name: str) -> bool:
    """Whether a data set has the name of one of the paper's."""
    return name.upper() in SETS

"""Dialogue acts and maxims over several data sets and judges, in the shape of AMULET's tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assize.acts._published import ActsStudied
from assize.acts._show import judged, kept_beside, taxonomy_named, told_selected
from assize.acts._study import ActStudy, study_all
from assize.base.conversation import Conversation, Pair
from assize.base.errors import ConfigError
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import judgments_of, names_of


def acts(
    judgments: JudgmentsLike | None = None,
    *,
    items: ItemsLike | None = None,
    sets: Mapping[str, Sequence[Any]] | None = None,
    judges: str | Sequence[str] = (),
    taxonomy: str | None = None,
    gold: str = "gold",
    agreed_votes: bool = False,
    selected: bool = False,
    paper: bool = False,
) -> ActsStudied:
    """Show the acts and maxims of several data sets and models, as AMULET prints them.

    Tables 1, 5 and 12 to 17 and figures 3, 4 and 6 to 8 of the paper, with a column for each data
    set and each model behind the judges. A dash marks what the data do not determine, with the
    reason below.

    Args:
        judgments: folders of runs, or files of judgments, of one data set. In Python also records,
            dicts, and tables.
        items: files of the judged pairs or conversations (repeatable). Default: those that the runs
            name.
        sets: named data set with its runs, judgments and judged items, as NAME=run/,pairs.jsonl
            (repeatable). In Python the values are lists, also of records.
        judges: only these judges (repeatable, or separated by commas).
        taxonomy: taxonomy to check labels against: a name or a file. Default: that of the run, else
            AMULET's.
        gold: judge whose preferences count as true, for items without gold.
        agreed_votes: count a maxim only where both votes agree on it, in table 1 and figure 4.
        selected: continue even if a cascade chose what each judge was asked about.
        paper: also show the paper's figures for its four data sets.

    Raises:
        DataError: a data set holds neither acts nor maxims, what was judged is not there, or a
            judge was asked only about what a cascade had left open.
        ConfigError: nothing is given, a name is given twice, or there is no such taxonomy.
    """
    given = _given(judgments, items, sets)
    names = taxonomy_named(taxonomy)
    found = []
    for name, (rows, beside) in given.items():
        table = judgments_of(rows)
        studies = study_all(
            table,
            judged(rows, beside),
            names,
            kept=kept_beside(rows, taxonomy),
            judges=names_of(judges),
            gold=gold,
            agreed=agreed_votes,
        )
        found += [(name, told_selected(one, rows, allowed=selected)) for one in studies]
    by_name = dict(_called(found))
    return ActsStudied(by_name, paper, {name: study.examples for name, study in by_name.items()})


def _given(
    judgments: JudgmentsLike | None,
    items: ItemsLike | None,
    sets: Mapping[str, Sequence[Any]] | None,
) -> dict[str, tuple[JudgmentsLike, ItemsLike | None]]:
    """The data sets by name, each with its judgments and what is known to have been judged."""
    if judgments is None and items is not None:
        raise ConfigError("items are what was judged, and nothing was: give judgments too")
    found = {name: _apart(files) for name, files in (sets or {}).items()}
    if judgments is not None:
        return {"": (judgments, items), **found}
    if not found:
        raise ConfigError(
            "give judgments, or data sets by name with sets=, as NAME=run/,pairs.jsonl"
        )
    return dict(found)


def _apart(given: Sequence[Any]) -> tuple[list[Any], list[Any] | None]:
    """Judgments, and what was judged, of one data set; a file may hold either, or both."""
    items = [one for one in given if isinstance(one, Pair | Conversation)]
    return [one for one in given if not isinstance(one, Pair | Conversation)], items or None


def _called(found: Sequence[tuple[str, ActStudy]]) -> Iterator[tuple[str, ActStudy]]:
    """Each study by the shortest name that tells it apart: data, model, both, or its judges."""
    for name, study in found:
        model = _model(study)
        same = [other for at, other in found if at == name]
        alone = len(same) == 1
        if sum(_model(other) == model for other in same) > 1:
            model = study.name
        yield (name if name and alone else f"{name}, {model}" if name else model), study


def _model(study: ActStudy) -> str:
    """The model behind the judges, without its provider."""
    judge = study.acts_judge or study.maxims_judge or ""
    target = judge.partition("@")[2]
    return target.partition(":")[2] or target or judge

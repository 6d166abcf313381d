"""Questions whose names differ only by case and spaces: they are one question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from assize.base.arguments import plain_name
from assize.judgments.table import JudgmentTable
from assize.judgments.values import SPELT
from assize.results.log import log


def match_spellings(names: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Return by name the known one that differs from it by case and spaces only.

    A name that is known stays, and so does one whose other spelling is among the names too.

    >>> match_spellings(["Overall", "tone", "safe", "Safe"], ["overall", "tone", "Safe"])
    {'Overall': 'overall'}
    """
    own, known = dict.fromkeys(names), list(known)
    spellings = {plain_name(name): name for name in reversed(known)}
    matches = {name: spellings.get(plain_name(name), name) for name in own if name not in known}
    spelled = [*own, *matches.values()]
    return {name: match for name, match in matches.items() if spelled.count(match) == 1}


def rename_spellings(table: JudgmentTable, known: Iterable[str]) -> JudgmentTable:
    """Return the table with questions under their known names; the log says which."""
    names = match_spellings(table.asked, known)
    log_spellings(names)
    return table.renamed(names)


def find_spellings(table: JudgmentTable) -> dict[str, str]:
    """Return the questions of a table that others ask in another spelling, for `as_one`.

    The name is that of a question whose scale is stated, else that of the first. Two stay apart
    where one of them has no numbers, or where a judge answered both about one item.
    """
    names: dict[str, str] = {}
    for name in sorted(table.asked, key=lambda name: name in table.inferred):
        names.setdefault(plain_name(name), name)
    spellings = {
        name: names[plain_name(name)] for name in table.asked if names[plain_name(name)] != name
    }
    return {
        name: other
        for name, other in spellings.items()
        if {table.questions[name].kind, table.questions[other].kind} <= set(SPELT)
        and not _answered_both(table, name, other)
    }


def _answered_both(table: JudgmentTable, first: str, second: str) -> bool:
    """Whether a judge answered both questions about one item."""
    units, _ = table.units()
    judges, known = table.codes("judge")
    questions, names = table.codes("question")
    about = units * len(known) + judges
    by_first, by_second = (about[questions == names.index(name)] for name in (first, second))
    return bool(np.isin(by_first, by_second).any())


def log_spellings(names: Mapping[str, str]) -> None:
    """Log which question is read as which."""
    for name, other in names.items():
        log.info(
            "question %s is read as %s: names that differ only by case and spaces are one question",
            name,
            other,
        )

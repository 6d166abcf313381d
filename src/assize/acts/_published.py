"""Acts and maxims over several data sets and judges: AMULET's tables and figures in their shape.

Tables 1, 5 and 12 to 17 and figures 3, 4 and 6 to 8 of arXiv 2505.20451, a column (or a row) for
each data set and judge that is given. A cell that the data do not determine is a dash, and a note
says why.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from assize.acts._analysis import LEVELS, ROLES
from assize.acts._examples import Example
from assize.acts._maxim_analysis import HELD, MORE
from assize.acts._printed import printed_tables
from assize.acts._study import ActStudy, cautions, of_study
from assize.base.signature import sign_text
from assize.results import Cell, Column, Result, ResultTable
from assize.results.columns import Scaled, columns
from assize.results.numbers import counted
from assize.stats import Estimate

MOST_NAMED = 10  # functions that the tables of figures 3a and 6 show
_TURNS = {"user": "User turns", "assistant": "Assistant turns"}
_SATISFIES = {
    "chosen": "Chosen satisfies more",
    "rejected": "Rejected satisfies more",
    "equal": "Both satisfy equally",
}

NO_ACTS = "no judge of acts has a valid vote"
NO_MAXIMS = "no judge of maxims has a valid vote"
NO_PAIRS = "needs acts and maxims of the same pairs, and which response is preferred"
NO_SECOND = "needs both votes, in either order, and which response is preferred"
ONE_VOTE = "needs both votes, in either order"


@dataclass(frozen=True)
class ActsStudied(Result):
    """Acts and maxims of several data sets and judges, in the shape of AMULET's tables.

    Args:
        studies: by name: the data set, the model behind the judges, or both where there are
            several of each.
        paper: whether what the paper prints stands behind each table.
        examples: by study the turns that table 5 shows.
    """

    heading = "Dialogue acts and maxims, by data set and judge"

    studies: Mapping[str, ActStudy]
    paper: bool = False
    examples: Mapping[str, Sequence[Example]] = field(default_factory=dict)

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """All tables by title, in the order of the paper."""
        return tables_of(self)

    @property
    def sentence(self) -> str:
        """What was studied."""
        counts = [
            f"{name} with {counted(study.asked, 'item')}" for name, study in self.studies.items()
        ]
        return f"Tables as published, of {', '.join(counts)}."

    @property
    def notes(self) -> Sequence[str]:
        """Those of the studies, and why tables of the paper are left out."""
        empty = [table for table in _tables(self.studies) if not table.rows]
        return [
            *(note for study in self.studies.values() for note in study.notes),
            *(f"left out: {table.title}. {table.notes[-1]}" for table in empty),
        ]

    @property
    def signature(self) -> str:
        """Of all studies, with their names."""
        return sign_text("|".join(f"{name}={one.signature}" for name, one in self.studies.items()))

    @property
    def missing(self) -> tuple[int, int]:
        """Votes without valid labels, and all."""
        counts = [study.missing for study in self.studies.values()]
        return sum(one for one, _ in counts), sum(total for _, total in counts)


def tables_of(studied: ActsStudied) -> dict[str, ResultTable]:
    """All tables by title, in the order of the paper; one without a row is left out."""
    printed = printed_tables() if studied.paper else {}
    tables = {}
    for table in _tables(studied.studies):
        behind = printed.get(table.title.partition(":")[0])
        for each in (table, behind):
            if each is not None and each.rows:
                tables[each.title] = each
    return tables


def _tables(studies: Mapping[str, ActStudy]) -> Iterator[ResultTable]:
    yield _table_1(studies)
    yield _table_5(studies)
    yield _table_12(studies)
    yield _changing("Table 13: acts change at least once in a conversation", studies, "once")
    yield _changing("Table 14: acts change between consecutive turns", studies, "turns")
    yield _make(
        "Table 15: the two responses have different acts",
        [Column("Data"), *columns("number", "Function", "Dimension", digits=2, ends="page")],
        _by_study(studies, NO_ACTS, lambda one: [_get(one.acts, "across", x) for x in LEVELS]),
    )
    yield _make(
        "Table 16: maxim asymmetry",
        [Column("Data"), *columns("number", "Maxim asymmetry", digits=2, ends="page")],
        _by_study(studies, NO_MAXIMS, lambda one: [_get(one.maxims, "asymmetry")]),
        "Mean number of twelve maxims that one response alone satisfies better, first vote.",
    )
    yield _table_17(studies)
    for level, figure in (("function", "Figures 3a and 6"), ("dimension", "Figure 7")):
        for name, study in studies.items():
            title = f"{figure}: most common {level}s{of_study(name, studies)}"
            yield _frequent(title, study, level)
    yield _distinct(studies)
    yield _make(
        "Figures 3c and 3d: consecutive turns with different acts",
        [Column("Data"), *_percents(("User", "Assistant, after a change of the user"))],
        _by_study(
            studies,
            NO_ACTS,
            lambda one: [
                _get(one.acts, "changes", "function", "user", "turns"),
                _get(one.acts, "following", "function"),
            ],
        ),
        "Percent of consecutive turns whose acts (functions) differ.",
    )
    for name, study in studies.items():
        title = f"Figure 4: who satisfies each maxim{of_study(name, studies)}"
        yield _figure_4(title, study, cautions({name: study}))


@dataclass(frozen=True, slots=True)
class _Gap:
    """A cell that the data of a study do not determine."""

    study: str
    why: str


def _cell(value: Cell, study: str, why: str) -> Cell | _Gap:
    """The value, or a gap where there is none."""
    inner = value.value if isinstance(value, Scaled) else value
    missing = isinstance(inner, Estimate) and inner.estimate != inner.estimate
    return _Gap(study, why) if inner is None or missing else value


def _get(value: Any, *path: str) -> Any:
    """What stands behind names of fields and keys; None where a part is None or not there."""
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else getattr(value, step, None)
    return value


def _by_study(
    studies: Mapping[str, ActStudy], why: str, of: Callable[[ActStudy], Sequence[Cell]]
) -> list[Sequence[Any]]:
    """A row a study."""
    return [
        (name, *(_cell(value, name, why) for value in of(study))) for name, study in studies.items()
    ]


def _across(
    label: Sequence[str],
    studies: Mapping[str, ActStudy],
    why: str,
    of: Callable[[ActStudy], Sequence[Cell]],
) -> Sequence[Any]:
    """One row, with a cell or several for each study."""
    cells = [_cell(value, name, why) for name, study in studies.items() for value in of(study)]
    return (*label, *cells)


def _make(
    title: str, named: Sequence[Column], rows: Sequence[Sequence[Any]], *notes: str
) -> ResultTable:
    """A table with a dash for each gap, and the reasons of all gaps below it."""
    gaps: dict[str, dict[str, None]] = {}
    for cell in (cell for row in rows for cell in row if isinstance(cell, _Gap)):
        gaps.setdefault(cell.why, {})[cell.study] = None
    cells = [[math.nan if isinstance(cell, _Gap) else cell for cell in row] for row in rows]
    reasons = [f"Not determined for {', '.join(names)}: {why}." for why, names in gaps.items()]
    return ResultTable(title, named, cells, [*notes, *reasons])


def _percents(names: Sequence[str]) -> list[Column]:
    return columns("percent", *names, digits=1, ends="page")


def _counting(study: ActStudy) -> str:
    """Which votes' maxims count."""
    agreed = study.maxims is not None and study.maxims.agreed
    votes = "those on which both votes agree" if agreed else "the first vote's"
    return f"The maxims that count are {votes}."


def _table_1(studies: Mapping[str, ActStudy]) -> ResultTable:
    acts = ("same", "different")
    rows = [
        _across([_SATISFIES[more]], studies, NO_PAIRS, partial(_crossed, acts=acts, more=more))
        for more in MORE
    ]
    total = _across(["Total"], studies, NO_PAIRS, lambda one: [_get(one.crossed, x) for x in acts])
    heads = [f"{name} {alike}" for name in _heads(studies) for alike in ("same", "diff.")]
    return _make(
        "Table 1: maxims satisfied, by same and different acts",
        [Column("Maxims"), *_percents([head.strip() for head in heads])],
        [*rows, total],
        "Percent of pairs, by whether the two responses have the same acts.",
        _counting(next(iter(studies.values()))),
        *cautions(studies),
    )


def _crossed(study: ActStudy, acts: Sequence[str], more: str) -> Sequence[Cell]:
    return [None if study.crossed is None else study.crossed.cells[each, more] for each in acts]


def _heads(studies: Mapping[str, ActStudy]) -> list[str]:
    return [name if len(studies) > 1 else "" for name in studies]


def _table_5(studies: Mapping[str, ActStudy]) -> ResultTable:
    rows = [
        (f"{name}: {example.item}" if len(studies) > 1 else example.item, text, _named(acts))
        for name, study in studies.items()
        for example in study.examples
        for text, acts in example.turns
    ]
    lacking = [name for name, study in studies.items() if not study.examples]
    notes = ["Turns of the user that follow each other, where its acts change most in few words."]
    if lacking:
        notes.append(f"Not determined for {', '.join(lacking)}: no three turns whose acts change.")
    named = [Column("Conversation"), Column("User turn", cut=True), Column("Acts")]
    title = "Table 5: consecutive user turns with what each does"
    return ResultTable(title, named, rows, notes, grouped=True)


def _named(acts: Sequence[tuple[str, str]]) -> str:
    return ", ".join(dict.fromkeys(function or dimension for dimension, function in acts))


def _table_12(studies: Mapping[str, ActStudy]) -> ResultTable:
    counts: list[tuple[str, str, Callable[[ActStudy], int | None]]] = [
        ("instances", "", lambda one: one.asked),
        ("instances with valid acts and maxims", NO_MAXIMS, lambda one: one.both_valid),
        ("user turns", NO_ACTS, lambda one: one.turns[0] or None),
        ("consecutive turns", NO_ACTS, lambda one: one.turns[1] or None),
    ]
    shares = [
        ("% labels with valid dimensions", NO_ACTS, ("validity", "dimensions")),
        ("% labels with valid functions", NO_ACTS, ("validity", "valid")),
        (
            "% turns with different dimensions across votes",
            ONE_VOTE,
            ("variation", "dimension", "labels"),
        ),
        (
            "% turns with different functions across votes",
            ONE_VOTE,
            ("variation", "function", "labels"),
        ),
    ]
    return _make(
        "Table 12: valid predictions, turns, and what the second vote changes",
        [Column("Statistic"), *columns("number", *studies, ends="page")],
        [
            *(_across([label], studies, why, partial(_whole, of=of)) for label, why, of in counts),
            *(
                _across([label], studies, why, partial(_in_percent, path=path))
                for label, why, path in shares
            ),
        ],
        "Across votes: all turns of context and responses. As published, dimensions are those of"
        " all labels of a turn, as often as each is named, functions a set; and the responses are"
        " compared by place, which are different responses. `assize acts` has each with itself.",
    )


def _whole(study: ActStudy, of: Callable[[ActStudy], int | None]) -> Sequence[Cell]:
    count = of(study)
    return [None if count is None else Scaled(float(count), 0)]


def _in_percent(study: ActStudy, path: Sequence[str]) -> Sequence[Cell]:
    share: Estimate | None = _get(study.acts, *path)
    if share is None:
        return [None]
    low, high = share.interval
    in_percent = replace(share, estimate=100 * share.estimate, interval=(100 * low, 100 * high))
    return [Scaled(in_percent, 1)]


def _changing(title: str, studies: Mapping[str, ActStudy], which: str) -> ResultTable:
    rows = [
        _across(
            (turns, level.capitalize()),
            studies,
            NO_ACTS,
            partial(_change, path=(level, role, which)),
        )
        for role, turns in _TURNS.items()
        for level in LEVELS
    ]
    named = [Column("Turns"), Column("Type")]
    return _make(title, [*named, *columns("number", *studies, digits=2, ends="page")], rows)


def _change(study: ActStudy, path: Sequence[str]) -> Sequence[Cell]:
    return [_get(study.acts, "changes", *path)]


def _table_17(studies: Mapping[str, ActStudy]) -> ResultTable:
    rows = []
    for name, study in studies.items():
        rule = None if study.maxims is None else study.maxims.by_rule.get("agreed")
        values = [_get(rule, part) for part in ("accuracy", "chosen_more", "right")]
        n = _get(rule, "chosen_more", "n")
        rows.append((name, *(_cell(value, name, NO_SECOND) for value in values), n))
    heads = ("Maxim judge", "Chosen > rejected", "and the judge right")
    return _make(
        "Table 17: does the chosen response satisfy more maxims?",
        [Column("Data"), *_percents(heads), Column("Pairs", "count")],
        rows,
        "Percent of pairs with both votes. A maxim counts only where both votes agree on it; the"
        " judge is right where both votes choose the chosen response.",
        *cautions(studies),
    )


def _frequent(title: str, study: ActStudy, level: str) -> ResultTable:
    named = [Column(level.capitalize()), *_percents(("User", "Assistant"))]
    if study.acts is None:
        return ResultTable(title, named, [], [f"Not determined: {NO_ACTS}."])
    by_role = [study.acts.frequency[level][role].names for role in ROLES]
    totals: Counter[str] = Counter()
    for shares in by_role:
        totals.update({name: share.count for name, share in shares.items()})
    ranked = sorted(totals, key=lambda name: (-totals[name], name))
    rows = [(name, *(shares.get(name, 0.0) for shares in by_role)) for name in ranked[:MOST_NAMED]]
    left = len(ranked) - MOST_NAMED
    rest = f" {left} rarer ones are left out." if left > 0 else ""
    return ResultTable(title, named, rows, [f"Percent of turns of the context.{rest}"])


def _distinct(studies: Mapping[str, ActStudy]) -> ResultTable:
    counts = [_get(one.acts, "distinct", "act") or {} for one in studies.values()]
    most = max((x for roles in counts for shares in roles.values() for x in shares), default=0)
    rows = [
        _across(
            [f"≥ {x}"],
            studies,
            NO_ACTS,
            partial(_at_least, acts=x),
        )
        for x in range(1, most + 1)
    ]
    heads = [f"{name} {role}".strip() for name in _heads(studies) for role in ROLES]
    return _make(
        "Figures 3b and 8: distinct acts in a conversation",
        [Column("Acts"), *columns("share", *heads, digits=2, ends="page")],
        rows,
        "Conversations with at least so many distinct acts of a role; the paper draws the"
        " user's. A turn's act is the combination of all its dimensions and functions.",
    )


def _at_least(study: ActStudy, acts: int) -> Sequence[Cell]:
    by_role = [_get(study.acts, "distinct", "act", role) for role in ROLES]
    return [shares.get(acts, 0.0) if shares else None for shares in by_role]


def _figure_4(title: str, study: ActStudy, notes: Sequence[str]) -> ResultTable:
    per_maxim = {} if study.maxims is None else study.maxims.per_maxim
    sides = next((tuple(one.shares) for one in per_maxim.values()), HELD)
    named = [Column("Maxim"), *_percents([side.capitalize() for side in sides])]
    if not per_maxim:
        return ResultTable(title, named, [], [f"Not determined: {NO_MAXIMS}."])
    rows = [(maxim, *(one.shares[side] for side in sides)) for maxim, one in per_maxim.items()]
    return ResultTable(title, named, rows, [f"Percent of pairs. {_counting(study)}", *notes])

"""Acts and maxims over several data sets and judges: AMULET's tables and figures in their shape.

Tables 1, 5 and 12 to 17 and figures 3, 4 and 6 to 8 of arXiv 2505.20451, a column (or a row) for
each data set and judge that is given. A cell that the data do not determine is a dash, and a note
says why.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.acts._analysis import (
    AS_PUBLISHED,
    LABELS,
    LEVELS,
    ROLES,
    NameFrequency,
    find_share,
)
from assize.acts._examples import Example
from assize.acts._printed import printed_tables
from assize.acts._study import ActStudy, cautions, of_study
from assize.base.signature import sign_text
from assize.results import Cell, Column, Result, ResultTable, Share
from assize.results.columns import Scaled, columns
from assize.results.numbers import counted
from assize.stats import Estimate

MOST_NAMED = 10  # functions that the tables of figures 3a and 6 show
_TURNS = {"user": "User turns", "assistant": "Assistant turns"}
_SATISFIES = {
    "chosen": "Chosen satisfies more",
    "rejected": "Rejected satisfies more",
    "equal": "Both satisfy equally",
    "all": "Total",
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
    for number, what, change in (
        (13, "at least once in a conversation", "at least once"),
        (14, "between consecutive turns", "from turn to turn"),
    ):
        rows = [
            _across((turns, level.capitalize()), studies, NO_ACTS, _change(level, role, change))
            for role, turns in _TURNS.items()
            for level in LEVELS
        ]
        named = [Column("Turns"), Column("Type")]
        head = [*named, *columns("number", *studies, digits=2, ends="page")]
        yield _make(f"Table {number}: acts change {what}", head, rows)
    yield _make(
        "Table 15: the two responses have different acts",
        [Column("Data"), *columns("number", "Function", "Dimension", digits=2, ends="page")],
        _by_study(studies, NO_ACTS, *(_change(level, "responses") for level in LEVELS)),
    )
    yield _make(
        "Table 16: maxim asymmetry",
        [Column("Data"), *columns("number", "Maxim asymmetry", digits=2, ends="page")],
        _by_study(studies, NO_MAXIMS, lambda study: study.asymmetry),
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
            _change("function", "user", "from turn to turn"),
            _change("function", "assistant", "after a change of the user"),
        ),
        "Percent of consecutive turns whose acts (functions) differ.",
    )
    for name, study in studies.items():
        title = f"Figure 4: who satisfies each maxim{of_study(name, studies)}"
        yield _figure_4(title, study, cautions({name: study}))


Figure = Callable[[ActStudy], Cell]
"""A study's figure; None or NaN where its data do not determine it."""


@dataclass(frozen=True, slots=True)
class _Gap:
    """A cell that the data of a study do not determine."""

    study: str
    why: str


def _across(
    labels: Sequence[str], studies: Mapping[str, ActStudy], why: str, *figures: Figure
) -> list[Any]:
    """One row, with a cell or several for each study, and a gap for `why` where there is none."""
    row: list[Any] = [*labels]
    for name, study in studies.items():
        for figure in figures:
            value = figure(study)
            inner = value.value if isinstance(value, Scaled) else value
            missing = isinstance(inner, Estimate) and math.isnan(inner.estimate)
            row.append(_Gap(name, why) if inner is None or missing else value)
    return row


def _by_study(studies: Mapping[str, ActStudy], why: str, *figures: Figure) -> list[list[Any]]:
    """A row a study."""
    return [_across([name], {name: study}, why, *figures) for name, study in studies.items()]


def _change(level: str, who: str, change: str = "between the two") -> Figure:
    return lambda study: find_share(study.changes, level=level, who=who, change=change)


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
    agreed = study.agreed and study.sides
    votes = "those on which both votes agree" if agreed else "the first vote's"
    return f"The maxims that count are {votes}."


def _heads(studies: Mapping[str, ActStudy], ends: Sequence[str]) -> list[str]:
    """A head for each study and each end, the study being named where there are several."""
    names = [f"{name} " if len(studies) > 1 else "" for name in studies]
    return [f"{name}{end}" for name in names for end in ends]


def _table_1(studies: Mapping[str, ActStudy]) -> ResultTable:
    def alike(acts: str, more: str) -> Figure:
        return lambda study: find_share(study.responses, acts=acts, more=more)

    return _make(
        "Table 1: maxims satisfied, by same and different acts",
        [Column("Maxims"), *_percents(_heads(studies, ("same", "diff.")))],
        [
            _across([words], studies, NO_PAIRS, alike("same", more), alike("different", more))
            for more, words in _SATISFIES.items()
        ],
        "Percent of pairs, by whether the two responses have the same acts.",
        _counting(next(iter(studies.values()))),
        *cautions(studies),
    )


def _table_5(studies: Mapping[str, ActStudy]) -> ResultTable:
    rows = [
        (
            f"{name}: {example.item}" if len(studies) > 1 else example.item,
            text,
            ", ".join(dict.fromkeys(function or dimension for dimension, function in acts)),
        )
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


def _table_12(studies: Mapping[str, ActStudy]) -> ResultTable:
    def count(of: Callable[[ActStudy], int | None]) -> Figure:
        return lambda study: None if (n := of(study)) is None else Scaled(float(n), 0)

    def percent(of: Callable[[ActStudy], Share | None]) -> Figure:
        return lambda study: None if (share := of(study)) is None else _in_percent(share)

    def labels(words: str) -> Figure:
        return percent(lambda study: find_share(study.labels, labels=words))

    def votes(level: str) -> Figure:
        return percent(lambda study: find_share(study.second_votes, level=level, what=AS_PUBLISHED))

    figures: list[tuple[str, str, Figure]] = [
        ("instances", "", count(lambda study: study.asked)),
        (
            "instances with valid acts and maxims",
            NO_MAXIMS,
            count(lambda study: study.both_valid),
        ),
        ("user turns", NO_ACTS, count(lambda study: study.turns[0] or None)),
        ("consecutive turns", NO_ACTS, count(lambda study: study.turns[1] or None)),
        ("% labels with valid dimensions", NO_ACTS, labels(LABELS["dimensions"])),
        ("% labels with valid functions", NO_ACTS, labels(LABELS["valid"])),
        ("% turns with different dimensions across votes", ONE_VOTE, votes("dimension")),
        ("% turns with different functions across votes", ONE_VOTE, votes("function")),
    ]
    return _make(
        "Table 12: valid predictions, turns, and what the second vote changes",
        [Column("Statistic"), *columns("number", *studies, ends="page")],
        [_across([label], studies, why, figure) for label, why, figure in figures],
        "Across votes: all turns of context and responses. As published, dimensions are those of"
        " all labels of a turn, as often as each is named, functions a set; and the responses are"
        " compared by place, which are different responses. `assize acts` has each with itself.",
    )


def _in_percent(share: Share) -> Scaled:
    low, high = share.interval
    return Scaled(
        replace(share, estimate=100 * share.estimate, interval=(100 * low, 100 * high)), 1
    )


def _table_17(studies: Mapping[str, ActStudy]) -> ResultTable:
    def agreed(name: str) -> Figure:
        def find(study: ActStudy) -> Share | None:
            shares = (getattr(row, name) for row in study.rules if row.rule == "agreed")
            return next(shares, None)

        return find

    rows = _by_study(studies, NO_SECOND, *map(agreed, ("accuracy", "chosen_more", "right")))
    for row, study in zip(rows, studies.values(), strict=True):
        row.append(next((rule.right.n for rule in study.rules if rule.rule == "agreed"), None))
    heads = ("Maxim judge", "Chosen > rejected", "and the judge right")
    return _make(
        "Table 17: does the chosen response satisfy more maxims?",
        [Column("Data"), *_percents(heads), Column("Pairs", "count")],
        rows,
        "Percent of pairs with both votes. A maxim counts only where both votes agree on it; the"
        " judge is right where both votes choose the chosen response.",
        *cautions(studies),
    )


def frequent_names(rows: Sequence[NameFrequency]) -> list[NameFrequency]:
    """Return what the turns of the context name, the most frequent first."""
    totals = {
        row.name: sum(share.count for share in (row.user, row.assistant) if share is not None)
        for row in rows
    }
    spoken = [row for row in rows if totals[row.name]]
    return sorted(spoken, key=lambda row: (-totals[row.name], row.name))


def _frequent(title: str, study: ActStudy, level: str) -> ResultTable:
    named = [Column(level.capitalize()), *_percents(("User", "Assistant"))]
    if not study.changes:
        return ResultTable(title, named, [], [f"Not determined: {NO_ACTS}."])
    ranked = frequent_names(study.functions if level == "function" else study.dimensions)
    rows = [(row.name, row.user, row.assistant) for row in ranked[:MOST_NAMED]]
    left = len(ranked) - MOST_NAMED
    rest = f" {left} rarer ones are left out." if left > 0 else ""
    return ResultTable(title, named, rows, [f"Percent of turns of the context.{rest}"])


def _distinct(studies: Mapping[str, ActStudy]) -> ResultTable:
    def at_least(role: str, acts: int) -> Figure:
        def find(study: ActStudy) -> Cell:
            rows = [row for row in study.distinct if row.what == "act"]
            if not any(getattr(row, role) for row in rows):
                return None
            return next((getattr(row, role) for row in rows if row.at_least == acts), 0.0)

        return find

    rows = (row for study in studies.values() for row in study.distinct if row.what == "act")
    most = max((row.at_least for row in rows), default=0)
    return _make(
        "Figures 3b and 8: distinct acts in a conversation",
        [Column("Acts"), *columns("share", *_heads(studies, ROLES), digits=2, ends="page")],
        [
            _across([f"≥ {x}"], studies, NO_ACTS, *(at_least(role, x) for role in ROLES))
            for x in range(1, most + 1)
        ],
        "Conversations with at least so many distinct acts of a role; the paper draws the"
        " user's. A turn's act is the combination of all its dimensions and functions.",
    )


def _figure_4(title: str, study: ActStudy, notes: Sequence[str]) -> ResultTable:
    if not study.sides:
        return ResultTable(title, [Column("Maxim")], [], [f"Not determined: {NO_MAXIMS}."])
    sides = list(study.sides[0].shares)
    named = [Column("Maxim"), *_percents([side.capitalize() for side in sides])]
    rows = [(row.maxim, *row.shares.values()) for row in study.sides]
    return ResultTable(title, named, rows, [f"Percent of pairs. {_counting(study)}", *notes])

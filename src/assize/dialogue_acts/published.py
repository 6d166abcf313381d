"""Acts and maxims over several data sets and judges: AMULET's tables and figures in their shape.

Tables 1, 5 and 12 to 17 and figures 3, 4 and 6 to 8 of arXiv 2505.20451, a column (or a row) for
each data set and judge that is given. A cell that the data do not determine is a dash, and a note
says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.dialogue_acts.analysis import LEVELS, ROLES, Frequency
from assize.dialogue_acts.examples import Example
from assize.dialogue_acts.maxim_analysis import HELD, MORE
from assize.dialogue_acts.printed import printed_tables
from assize.dialogue_acts.study import ActStudy, cautions
from assize.results import Column, Result, ResultTable, columns
from assize.results.columns import Scaled
from assize.results.numbers import counted
from assize.signature import sign_text
from assize.stats import Estimate

MOST_NAMED = 10  # functions that the tables of figures 3a and 6 show
_NONE = float("nan")
_SAID = {"user": "User turns", "assistant": "Assistant turns"}

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
        """Those of the studies."""
        return [note for study in self.studies.values() for note in study.notes]

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
    """All tables by title, in the order of the paper."""
    printed = printed_tables() if studied.paper else {}
    found = {}
    for one in _tables(studied.studies):
        found[one.title] = one
        behind = printed.get(one.title.partition(":")[0])
        if behind is not None:
            found[behind.title] = behind
    return found


def _tables(studies: Mapping[str, ActStudy]) -> Iterator[ResultTable]:
    yield _table_1(studies)
    yield from _examples(studies)
    yield _table_12(studies)
    yield _changing("Table 13: acts change at least once in a conversation", studies, "once")
    yield _changing("Table 14: acts change between consecutive turns", studies, "turns")
    yield _table_15(studies)
    yield _table_16(studies)
    yield _table_17(studies)
    for level, figure in (("function", "Figures 3a and 6"), ("dimension", "Figure 7")):
        for name, study in studies.items():
            yield _frequent(f"{figure}: most common {level}s{_of(name, studies)}", study, level)
    yield _distinct(studies)
    yield _figure_3cd(studies)
    for name, study in studies.items():
        yield _figure_4(name, study, studies)


def _of(name: str, studies: Mapping[str, ActStudy]) -> str:
    return f", {name}" if len(studies) > 1 else ""


@dataclass
class _Cells:
    """Cells of one table, and why some are missing."""

    why: dict[str, list[str]]

    def found(self, value: Any, name: str, reason: str) -> Any:
        """The value, or a dash whose reason the notes give."""
        if value is not None and not _is_nothing(value):
            return value
        names = self.why.setdefault(reason, [])
        if name not in names:
            names.append(name)
        return _NONE

    @property
    def notes(self) -> list[str]:
        """One sentence a reason."""
        return [f"Not determined for {', '.join(names)}: {why}." for why, names in self.why.items()]


def _is_nothing(value: Any) -> bool:
    inner = value.value if isinstance(value, Scaled) else value
    return isinstance(inner, Estimate) and inner.estimate != inner.estimate


def _percents(names: Sequence[str], **read: Any) -> list[Column]:
    return columns("percent", *names, digits=1, ends="page", **read)


def _counting(study: ActStudy) -> str:
    """Which votes' maxims count."""
    agreed = study.maxims is not None and study.maxims.agreed
    return "those on which both votes agree" if agreed else "the first vote's"


def _rule(studies: Mapping[str, ActStudy]) -> str:
    (first, *_) = studies.values()
    return f"The maxims that count are {_counting(first)}."


def _table_1(studies: Mapping[str, ActStudy]) -> ResultTable:
    cells = _Cells({})
    heads = [f"{name} {alike}".strip() for name in _heads(studies) for alike in ("same", "diff.")]
    said = {
        "chosen": "Chosen satisfies more",
        "rejected": "Rejected satisfies more",
        "equal": "Both satisfy equally",
    }
    rows: list[list[Any]] = []
    for more in MORE:
        row: list[Any] = [said[more]]
        for name, study in studies.items():
            found = study.crossed
            for alike in ("same", "different"):
                value = None if found is None else found.cells[alike, more]
                row.append(cells.found(value, name, NO_PAIRS))
        rows.append(row)
    total: list[Any] = ["Total"]
    for name, study in studies.items():
        found = study.crossed
        for value in (None, None) if found is None else (found.same, found.different):
            total.append(cells.found(value, name, NO_PAIRS))
    notes = ["Percent of pairs, by whether the two responses have the same acts.", _rule(studies)]
    return ResultTable(
        "Table 1: maxims satisfied, by same and different acts",
        [Column("Maxims"), *_percents(heads)],
        [*rows, total],
        [*notes, *cautions(studies), *cells.notes],
    )


def _heads(studies: Mapping[str, ActStudy]) -> list[str]:
    return [name if len(studies) > 1 else "" for name in studies]


def _examples(studies: Mapping[str, ActStudy]) -> Iterator[ResultTable]:
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
    yield ResultTable(title, named, rows, notes, grouped=True)


def _named(acts: Sequence[tuple[str, str]]) -> str:
    return ", ".join(dict.fromkeys(function or dimension for dimension, function in acts))


def _table_12(studies: Mapping[str, ActStudy]) -> ResultTable:
    cells = _Cells({})
    rows: list[tuple[str, Callable[[ActStudy], Any], int, str]] = [
        ("instances", lambda one: one.asked, 0, ""),
        ("instances with valid acts and maxims", lambda one: one.both_valid, 0, NO_MAXIMS),
        ("user turns", lambda one: one.turns[0] or None, 0, NO_ACTS),
        ("consecutive turns", lambda one: one.turns[1] or None, 0, NO_ACTS),
        ("% labels with valid dimensions", lambda one: _valid(one, "dimensions"), 1, NO_ACTS),
        ("% labels with valid functions", lambda one: _valid(one, "valid"), 1, NO_ACTS),
        (
            "% turns with different dimensions across votes",
            lambda one: _varied(one, "dimension"),
            1,
            ONE_VOTE,
        ),
        (
            "% turns with different functions across votes",
            lambda one: _varied(one, "function"),
            1,
            ONE_VOTE,
        ),
    ]
    shown = [
        (
            label,
            *(
                cells.found(_scaled(of(study), digits), name, why)
                for name, study in studies.items()
            ),
        )
        for label, of, digits, why in rows
    ]
    notes = [
        "Across votes: all turns of context and responses. As published, dimensions are those of"
        " all labels of a turn, as often as each is named, functions a set; and the responses are"
        " compared by place, which are different responses. `assize acts` has each with itself."
    ]
    named = [Column("Statistic"), *columns("number", *studies, ends="page")]
    return ResultTable(
        "Table 12: valid predictions, turns, and what the second vote changes",
        named,
        shown,
        [*notes, *cells.notes],
    )


def _scaled(value: Estimate | int | None, digits: int) -> Any:
    if value is None:
        return None
    if isinstance(value, int):
        return Scaled(float(value), digits)
    low, high = value.interval
    in_percent = replace(value, estimate=100 * value.estimate, interval=(100 * low, 100 * high))
    return Scaled(in_percent, digits)


def _valid(study: ActStudy, which: str) -> Estimate | None:
    return None if study.acts is None else getattr(study.acts.validity, which)


def _varied(study: ActStudy, level: str) -> Estimate | None:
    return None if study.acts is None else study.acts.variation[level].labels


def _changing(title: str, studies: Mapping[str, ActStudy], which: str) -> ResultTable:
    cells = _Cells({})
    rows = [
        (
            said,
            level.capitalize(),
            *(
                cells.found(
                    None if one.acts is None else getattr(one.acts.changes[level][role], which),
                    name,
                    NO_ACTS,
                )
                for name, one in studies.items()
            ),
        )
        for role, said in _SAID.items()
        for level in LEVELS
    ]
    named = [Column("Turns"), Column("Type")]
    named += columns("number", *studies, digits=2, ends="page")
    return ResultTable(title, named, rows, cells.notes)


def _table_15(studies: Mapping[str, ActStudy]) -> ResultTable:
    cells = _Cells({})
    rows = [
        (
            name,
            *(
                cells.found(None if one.acts is None else one.acts.across[level], name, NO_ACTS)
                for level in LEVELS
            ),
        )
        for name, one in studies.items()
    ]
    named = [Column("Data"), *columns("number", "Function", "Dimension", digits=2, ends="page")]
    return ResultTable("Table 15: the two responses have different acts", named, rows, cells.notes)


def _table_16(studies: Mapping[str, ActStudy]) -> ResultTable:
    cells = _Cells({})
    rows = [
        (name, cells.found(None if one.maxims is None else one.maxims.asymmetry, name, NO_MAXIMS))
        for name, one in studies.items()
    ]
    named = [Column("Data"), *columns("number", "Maxim asymmetry", digits=2, ends="page")]
    notes = ["Mean number of twelve maxims that one response alone satisfies better, first vote."]
    return ResultTable("Table 16: maxim asymmetry", named, rows, [*notes, *cells.notes])


def _table_17(studies: Mapping[str, ActStudy]) -> ResultTable:
    cells = _Cells({})
    rows = []
    for name, one in studies.items():
        found = None if one.maxims is None else one.maxims.by_rule.get("agreed")
        shown = ("accuracy", "chosen_more", "right")
        values = (None if found is None else getattr(found, part) for part in shown)
        n = None if found is None else found.chosen_more.n
        rows.append((name, *(cells.found(one, name, NO_SECOND) for one in values), n))
    heads = ("Maxim judge", "Chosen > rejected", "and the judge right")
    named = [Column("Data"), *_percents(heads), Column("Pairs", "count")]
    notes = [
        "Percent of pairs with both votes. A maxim counts only where both votes agree on it; the"
        " judge is right where both votes choose the chosen response."
    ]
    return ResultTable(
        "Table 17: does the chosen response satisfy more maxims?",
        named,
        rows,
        [*notes, *cautions(studies), *cells.notes],
    )


def _frequent(title: str, study: ActStudy, level: str) -> ResultTable:
    named = [Column(level.capitalize()), *_percents(("User", "Assistant"))]
    if study.acts is None:
        return ResultTable(title, named, [], [f"Not determined: {NO_ACTS}."])
    of: Mapping[str, Frequency] = study.acts.frequency[level]
    totals = {
        name: sum(one.names[name].count for one in parts if name in one.names)
        for parts in [[of["user"], of["assistant"]]]
        for one in parts
        for name in one.names
    }
    ranked = sorted(totals, key=lambda name: (-totals[name], name))
    rows = [
        (name, *(of[role].names.get(name, 0.0) for role in ("user", "assistant")))
        for name in ranked[:MOST_NAMED]
    ]
    left = len(ranked) - MOST_NAMED
    rest = f" {left} rarer ones are left out." if left > 0 else ""
    return ResultTable(title, named, rows, [f"Percent of turns of the context.{rest}"])


def _distinct(studies: Mapping[str, ActStudy]) -> ResultTable:
    cells = _Cells({})
    found = [
        (name, {} if one.acts is None else one.acts.distinct["act"][role])
        for name, one in studies.items()
        for role in ROLES
    ]
    most = max((x for _, one in found for x in one), default=0)
    rows = [
        (
            f"≥ {x}",
            *(cells.found(one.get(x, 0.0) if one else None, name, NO_ACTS) for name, one in found),
        )
        for x in range(1, most + 1)
    ]
    heads = [f"{name} {role}".strip() for name in _heads(studies) for role in ROLES]
    named = [Column("Acts"), *columns("share", *heads, digits=2, ends="page")]
    notes = [
        "Conversations with at least so many distinct acts of a role; the paper draws the"
        " user's. A turn's act is the combination of all its dimensions and functions."
    ]
    title = "Figures 3b and 8: distinct acts in a conversation"
    return ResultTable(title, named, rows, [*notes, *cells.notes])


def _figure_3cd(studies: Mapping[str, ActStudy]) -> ResultTable:
    cells = _Cells({})
    rows = []
    for name, one in studies.items():
        acts = one.acts
        values = (
            (None, None)
            if acts is None
            else (acts.changes["function"]["user"].turns, acts.following["function"])
        )
        rows.append((name, *(cells.found(value, name, NO_ACTS) for value in values)))
    named = [Column("Data"), *_percents(("User", "Assistant, after a change of the user"))]
    notes = ["Percent of consecutive turns whose acts (functions) differ."]
    return ResultTable(
        "Figures 3c and 3d: consecutive turns with different acts",
        named,
        rows,
        [*notes, *cells.notes],
    )


def _figure_4(name: str, study: ActStudy, studies: Mapping[str, ActStudy]) -> ResultTable:
    title = f"Figure 4: who satisfies each maxim{_of(name, studies)}"
    found = {} if study.maxims is None else study.maxims.per_maxim
    sides = next((tuple(one.shares) for one in found.values()), HELD)
    named = [Column("Maxim"), *_percents([side.capitalize() for side in sides])]
    if not found:
        return ResultTable(title, named, [], [f"Not determined: {NO_MAXIMS}."])
    rows = [(maxim, *(one.shares[side] for side in sides)) for maxim, one in found.items()]
    notes = [f"Percent of pairs. The maxims that count are {_counting(study)}."]
    return ResultTable(title, named, rows, [*notes, *cautions({name: study})])

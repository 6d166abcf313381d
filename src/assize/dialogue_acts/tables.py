"""The findings as rows of tables, for a terminal and for the page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assize.dialogue_acts.analysis import LEVELS, ROLES, Frequency
from assize.dialogue_acts.maxim_analysis import HELD, MORE, RULES
from assize.dialogue_acts.study import ActStudy, OfActs, OfMaxims
from assize.stats import Estimate

MOST_ACTS = 12
MOST_NEXT = 4  # as many as 80 columns of a terminal hold


@dataclass(frozen=True, slots=True)
class Table:
    """A table: columns named in `text` hold words, the others numbers; `note` explains."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    text: tuple[int, ...] = (0,)


def percent(found: Estimate) -> str:
    """A share in percent, as papers print it; a dash where there is none."""
    return "–" if math.isnan(found.estimate) else f"{100 * found.estimate:.2f}"


def span(found: Estimate) -> str:
    """The interval in percent."""
    low, high = found.interval
    return "–" if math.isnan(low) else f"{100 * low:.1f} to {100 * high:.1f}"


def count(found: Estimate) -> str:
    """How many of how many."""
    return f"{found.details['count']:,.0f} of {found.n:,}"


def tables(study: ActStudy) -> Iterator[Table]:
    """All tables of a study, in the order in which they are read best."""
    yield _items(study)
    if study.crossed is not None:
        yield _crossed(study)
    if study.acts is not None:
        yield _changes(study.acts)
        yield from _frequencies(study.acts)
        yield _distinct(study.acts)
        yield from _transitions(study.acts)
        yield _validity(study.acts)
    if study.maxims is not None:
        yield _per_maxim(study.maxims)
        yield _rules(study.maxims)
    yield _variation(study)


def _items(study: ActStudy) -> Table:
    rows = []
    for kind, judge in (("acts", study.acts_judge), ("maxims", study.maxims_judge)):
        if judge is not None:
            reasons = dict(study.excluded.get(judge, {}))
            told = ", ".join(f"{reason}: {number:,}" for reason, number in reasons.items())
            left = f"{sum(reasons.values()):,}"
            rows.append([judge, kind, f"{study.items[kind]:,}", left, told or "–"])
    header = ["Judge", "Labels", "Valid items", "Left out", "Why"]
    note = (
        "By the first vote: the one shown in order AB, or the only one."
        f" Gold prefers a response in {study.gold:,} items."
    )
    return Table("What is analysed", header, rows, note, (0, 1, 4))


def _row(name: str, found: Estimate) -> list[str]:
    return [name, percent(found), span(found), count(found)]


def _crossed(study: ActStudy) -> Table:
    found = study.crossed
    assert found is not None
    rows = []
    for alike, share in (("same", found.same), ("different", found.different)):
        rows.append(_row(f"{alike} acts", share))
        for more in MORE:
            name = "equally many maxims" if more == "equal" else f"{more} satisfies more maxims"
            rows.append(_row(f"  {name}", found.cells[alike, more]))
    note = "A response satisfies a maxim where it keeps to it better, or both do."
    return Table(
        "Do the two responses differ, and which satisfies more maxims?",
        ["Responses", "Percent", "95% interval", "Pairs"],
        rows,
        note,
    )


def _changes(acts: OfActs) -> Table:
    rows = []
    for level in LEVELS:
        for role in ROLES:
            found = acts.changes[level][role]
            rows.append(_row(f"{role}, {level}s: from turn to turn", found.turns))
            rows.append(_row(f"{role}, {level}s: at least once", found.once))
        rows.append(_row(f"assistant after a change of the user, {level}s", acts.following[level]))
        rows.append(_row(f"between the two responses, {level}s", acts.across[level]))
    note = "A turn's acts are the set of its functions (or dimensions); the context alone counts."
    return Table(
        "How often acts change", ["Change", "Percent", "95% interval", "Count"], rows, note
    )


def _frequencies(acts: OfActs) -> Iterator[Table]:
    for level in LEVELS:
        by_role = acts.frequency[level]
        names = _frequent(by_role)
        shown = names[:MOST_ACTS]
        rows = [
            [name, *(percent(one.names[name]) if name in one.names else "0.00"
                     for one in by_role.values())]
            for name in shown
        ]  # fmt: skip
        turns = ", ".join(f"{one.turns:,} of the {role}s" for role, one in by_role.items())
        more = f" {len(names) - len(shown)} rarer ones are left out." if names[MOST_ACTS:] else ""
        note = f"Percent of turns: {turns}.{more}"
        yield Table(f"Frequency of {level}s", [level.capitalize(), *by_role], rows, note)


def _frequent(by_role: Mapping[str, Frequency]) -> list[str]:
    """All names, the most frequent first over all roles together."""
    totals: dict[str, float] = {}
    for one in by_role.values():
        for name, share in one.names.items():
            totals[name] = totals.get(name, 0) + share.details["count"]
    return sorted(totals, key=lambda name: (-totals[name], name))


def _distinct(acts: OfActs) -> Table:
    header = ["At least", *(f"{role}, {level}s" for level in LEVELS for role in ROLES)]
    columns = [acts.distinct[level][role] for level in LEVELS for role in ROLES]
    most = max((x for column in columns for x in column), default=0)
    rows = [
        [str(x), *(percent(column[x]) if x in column else "0.00" for column in columns)]
        for x in range(1, most + 1)
    ]
    note = "Percent of conversations in which a role uses at least so many distinct acts."
    return Table("Distinct acts of a conversation", header, rows, note)


def _transitions(acts: OfActs) -> Iterator[Table]:
    for role in ROLES:
        rows_of = acts.transitions[role]
        totals: dict[str, int] = {}
        for row in rows_of.values():
            for name, number in row.items():
                if name:
                    totals[name] = totals.get(name, 0) + number
        following = sorted(totals, key=lambda name: (-totals[name], name))[:MOST_NEXT]
        rows = [
            [name, f"{row['']:,}", *(f"{100 * row.get(one, 0) / row['']:.1f}" for one in following)]
            for name, row in list(rows_of.items())[:MOST_ACTS]
        ]
        note = "Percent of the turns with the act on the left whose next turn has the act above."
        title = f"What follows an act of the {role}"
        yield Table(title, [role.capitalize(), "Turns", *following], rows, note)


def _validity(acts: OfActs) -> Table:
    found = acts.validity
    names = ", ".join(f"{name or '(none)'} {number:,}" for name, number in found.names.items())
    rows = [
        _row("function and dimension as in the taxonomy", found.valid),
        _row("function known, dimension not its own", found.foreign),
        _row("function unknown (hallucinated)", found.hallucinated),
        _row("turns with a hallucinated function", found.turns),
    ]
    note = f"Hallucinated: {names or 'none'}. Invented turns: {found.invented:,}."
    return Table(
        "Are labels the taxonomy's?", ["Labels", "Percent", "95% interval", "Count"], rows, note
    )


def _per_maxim(maxims: OfMaxims) -> Table:
    rows = [
        [name, *(percent(one.shares[whose]) for whose in HELD)]
        for name, one in maxims.per_maxim.items()
    ]
    mean = maxims.asymmetry
    low, high = mean.interval
    note = (
        f"Percent of pairs. On average {mean.estimate:.2f} of twelve maxims"
        f" ({low:.2f} to {high:.2f}) are satisfied better by one response."
    )
    return Table("Who keeps to each maxim", ["Maxim", *HELD], rows, note)


def _rules(maxims: OfMaxims) -> Table:
    rows = [
        [
            RULES[rule],
            percent(one.chosen_more),
            percent(one.rejected_more),
            percent(one.right),
            f"{one.chosen_more.n:,}",
        ]
        for rule, one in maxims.by_rule.items()
    ]
    header = ["Votes that count", "Chosen has more", "Rejected has more", "And chosen", "Pairs"]
    note = (
        "Percent of pairs whose chosen response satisfies more maxims; the last but one also asks"
        " that the judge chose it. Rules disagree as far as judges favour a place."
    )
    return Table("Does the chosen response satisfy more maxims?", header, rows, note)


def _variation(study: ActStudy) -> Table:
    rows = []
    if study.acts is not None:
        for level, one in study.acts.variation.items():
            rows.append(_row(f"turns of the context, {level}s", one.context))
            rows.append(_row(f"responses, {level}s, each with itself", one.responses))
            rows.append(_row(f"responses, {level}s, by place as published", one.as_published))
    if study.maxims is not None:
        rows.append(_row("answers about a maxim", study.maxims.variation))
    note = "Percent that the second vote labels otherwise. By place compares different responses."
    return Table(
        "How far the second vote differs", ["What", "Percent", "95% interval", "Count"], rows, note
    )

"""The findings as tables, for a terminal, a page and a notebook."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assize.dialogue_acts.analysis import COUNTED, LEVELS, ROLES, Frequency
from assize.dialogue_acts.maxim_analysis import APART, HELD, MORE, RULES, Crossed
from assize.dialogue_acts.published import cautions
from assize.dialogue_acts.study import ActStudy, OfActs, OfMaxims
from assize.dialogue_acts.tagger import Tagger
from assize.results import Column, ResultTable, columns
from assize.results.numbers import with_interval
from assize.stats import Estimate

MOST_ACTS = 12
MOST_NEXT = 4  # as many as 80 columns of a terminal hold


def tables_of(study: ActStudy) -> dict[str, ResultTable]:
    """All tables of a study by title, in the order in which they are read best."""
    return {one.title: one for one in _tables(study)}


def tagger_tables(tagger: Tagger) -> dict[str, ResultTable]:
    """How well held-out conversations were tagged, over all acts and by act."""
    found = tagger.figures
    if not found:
        return {}
    f1 = {name: math.nan if one is None else one for name, one in found["f1"].items()}
    rows = [
        ("the tagger, acts", f1["micro"]),
        ("the tagger, functions alone", f1["functions"]),
        ("the tagger, mean over acts", f1["macro"]),
        ("the most common act of the speaker", f1["most_common_act"]),
        ("the judge's own second vote", f1["second_vote"]),
    ]
    score, turns = Column("F1", "number"), Column("Turns", "count")
    ranked = sorted(found["by_act"].items(), key=lambda pair: -pair[1]["turns"])
    acts = [(name, one["f1"], one["turns"]) for name, one in ranked]
    return {
        "F1": ResultTable("F1 on held-out conversations", (Column("Who"), score), rows),
        "By act": ResultTable("By act", (Column("Act"), score, turns), acts),
    }


def _tables(study: ActStudy) -> Iterator[ResultTable]:
    yield _items(study)
    caution = cautions({study.name: study})
    if study.crossed is not None:
        agreed = study.maxims is not None and study.maxims.agreed
        yield _crossed(study.crossed, agreed, caution)
    if study.acts is not None:
        yield _changes(study.acts)
        yield from _frequencies(study.acts)
        yield _distinct(study.acts)
        yield from _transitions(study.acts)
        yield _validity(study.acts)
    if study.maxims is not None:
        yield _per_maxim(study.maxims)
        yield _rules(study.maxims, caution)
    yield _variation(study)


def _items(study: ActStudy) -> ResultTable:
    rows = []
    for kind, judge in (("acts", study.acts_judge), ("maxims", study.maxims_judge)):
        if judge is not None:
            reasons = dict(study.excluded.get(judge, {}))
            told = ", ".join(f"{reason}: {number:,}" for reason, number in reasons.items())
            rows.append((judge, kind, study.items[kind], sum(reasons.values()), told or "–"))
    named = columns("words", "Judge", "Labels") + columns("count", "Valid items", "Left out")
    named += columns("words", "Why")
    note = (
        "By the first vote: the one shown in order AB, or the only one."
        f" Gold prefers a response in {study.gold:,} items."
    )
    return ResultTable("What is analysed", named, rows, [note])


def _percents(first: str, *names: str) -> list[Column]:
    return [Column(first), *columns("percent", *names, digits=2, ends="none")]


def _shares(
    title: str, what: str, of: str, rows: Sequence[tuple[str, Estimate]], *notes: str
) -> ResultTable:
    """A table of shares: percent, interval, and how many of how many."""
    named = _percents(what, "Percent") + columns("count", of)
    named[2:2] = columns("percent", "95% interval", digits=1, ends="alone")
    return ResultTable(title, named, [(name, *[one] * 3) for name, one in rows], notes)


def _crossed(found: Crossed, agreed: bool, caution: Sequence[str]) -> ResultTable:
    rows = []
    for alike, share in (("same", found.same), ("different", found.different)):
        rows.append((f"{alike} acts", share))
        for more in MORE:
            name = "equally many maxims" if more == "equal" else f"{more} satisfies more maxims"
            rows.append((f"  {name}", found.cells[alike, more]))
    note = (
        "A response satisfies a maxim where it keeps to it better, or both do. Maxims that count:"
        f" {'those on which both votes agree' if agreed else 'of the first vote'}."
    )
    title = "Do the two responses differ, and which satisfies more maxims?"
    return _shares(title, "Responses", "Pairs", rows, note, *caution)


def _changes(acts: OfActs) -> ResultTable:
    rows = []
    for level in LEVELS:
        for role in ROLES:
            found = acts.changes[level][role]
            rows.append((f"{role}, {level}s: from turn to turn", found.turns))
            rows.append((f"{role}, {level}s: at least once", found.once))
        rows.append((f"assistant after a change of the user, {level}s", acts.following[level]))
        rows.append((f"between the two responses, {level}s", acts.across[level]))
    note = "A turn's acts are the set of its functions (or dimensions); the context alone counts."
    return _shares("How often acts change", "Change", "Count", rows, note)


def _frequencies(acts: OfActs) -> Iterator[ResultTable]:
    for level in LEVELS:
        by_role = acts.frequency[level]
        names = _frequent(by_role)
        shown = names[:MOST_ACTS]
        rows = [(name, *(one.names.get(name, 0.0) for one in by_role.values())) for name in shown]
        turns = ", ".join(f"{one.turns:,} of the {role}s" for role, one in by_role.items())
        more = f" {len(names) - len(shown)} rarer ones are left out." if names[MOST_ACTS:] else ""
        note = f"Percent of turns: {turns}.{more}"
        named = _percents(level.capitalize(), *by_role)
        yield ResultTable(f"Frequency of {level}s", named, rows, [note])


def _frequent(by_role: Mapping[str, Frequency]) -> list[str]:
    """All names, the most frequent first over all roles together."""
    totals: dict[str, float] = {}
    for one in by_role.values():
        for name, share in one.names.items():
            totals[name] = totals.get(name, 0) + share.count
    return sorted(totals, key=lambda name: (-totals[name], name))


def _distinct(acts: OfActs) -> ResultTable:
    names = [f"{role}, {level}s" for level in COUNTED for role in ROLES]
    shares = [acts.distinct[level][role] for level in COUNTED for role in ROLES]
    most = max((x for one in shares for x in one), default=0)
    rows = [(str(x), *(one.get(x, 0.0) for one in shares)) for x in range(1, most + 1)]
    note = (
        "Percent of conversations in which a role uses at least so many distinct acts. A turn's"
        " act is the combination of all its dimensions and functions; these also count one by one."
    )
    named = _percents("At least", *names)
    return ResultTable("Distinct acts of a conversation", named, rows, [note])


def _transitions(acts: OfActs) -> Iterator[ResultTable]:
    for role in ROLES:
        rows_of = acts.transitions[role]
        following = most_next(rows_of)[:MOST_NEXT]
        rows = [
            (name, row[""], *(row.get(one, 0) / row[""] for one in following))
            for name, row in list(rows_of.items())[:MOST_ACTS]
        ]
        note = "Percent of the turns with the act on the left whose next turn has the act above."
        title = f"What follows an act of the {role}"
        named = [Column(role.capitalize()), Column("Turns", "count")]
        named += columns("percent", *following, digits=1)
        yield ResultTable(title, named, rows, [note])


def most_next(rows: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The acts that follow, the most frequent first; a row's own count stands under ""."""
    totals = Counter[str]()
    for row in rows.values():
        totals.update({name: count for name, count in row.items() if name})
    return sorted(totals, key=lambda name: (-totals[name], name))


def _validity(acts: OfActs) -> ResultTable:
    found = acts.validity
    names = ", ".join(f"{name or '(none)'} {number:,}" for name, number in found.names.items())
    rows = [
        ("dimension as in the taxonomy", found.dimensions),
        ("function and dimension as in the taxonomy", found.valid),
        ("function known, dimension not its own", found.foreign),
        ("function unknown (hallucinated)", found.hallucinated),
        ("turns with a hallucinated function", found.turns),
    ]
    note = f"Hallucinated: {names or 'none'}. Invented turns: {found.invented:,}."
    return _shares("Are labels the taxonomy's?", "Labels", "Count", rows, note)


def _per_maxim(maxims: OfMaxims) -> ResultTable:
    sides = (*HELD, APART) if maxims.agreed else HELD
    rows = [
        (name, *(one.shares[whose] for whose in sides)) for name, one in maxims.per_maxim.items()
    ]
    which = "on which both votes agree" if maxims.agreed else "of the first vote"
    note = (
        f"Percent of pairs, by answers {which}. On average {with_interval(maxims.asymmetry, 2)} of"
        " twelve maxims are satisfied better by one response."
    )
    return ResultTable("Who keeps to each maxim", _percents("Maxim", *sides), rows, [note])


def _rules(maxims: OfMaxims, caution: Sequence[str]) -> ResultTable:
    rows = [
        (RULES[rule], one.chosen_more, one.rejected_more, one.right, one.chosen_more.n)
        for rule, one in maxims.by_rule.items()
    ]
    shares = ("Chosen has more", "Rejected has more", "And chosen")
    named = _percents("Votes that count", *shares) + columns("count", "Pairs")
    note = (
        "Percent of pairs whose chosen response satisfies more maxims; the last but one also asks"
        " that the judge chose it. Rules disagree as far as judges favour a place. The first is"
        " that of AMULET's table 17."
    )
    title = "Does the chosen response satisfy more maxims?"
    return ResultTable(title, named, rows, [note, *caution])


def _variation(study: ActStudy) -> ResultTable:
    rows = []
    if study.acts is not None:
        for level, one in study.acts.variation.items():
            rows.append((f"turns of the context, {level}s", one.context))
            rows.append((f"responses, {level}s, each with itself", one.responses))
            rows.append((f"responses, {level}s, by place as published", one.as_published))
            rows.append((f"all turns, {level}s, as published", one.labels))
    if study.maxims is not None:
        rows.append(("answers about a maxim", study.maxims.variation))
    note = (
        "Percent that the second vote labels otherwise. By place compares different responses. As"
        " published, dimensions are those of all labels of a turn, as often as each is named."
    )
    return _shares("How far the second vote differs", "What", "Count", rows, note)

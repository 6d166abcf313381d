"""One study: everything that `assize acts` says about a judge of acts and one of maxims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Any

from assize.acts import _analysis as analysis
from assize.acts import _maxim_analysis as maxim_analysis
from assize.acts._analysis import (
    ActChange,
    DistinctActs,
    LabelShare,
    NameFrequency,
    SecondVote,
    Transition,
)
from assize.acts._annotations import Judged, Votes, act_judges, gather, maxim_judges
from assize.acts._examples import Example, examples
from assize.acts._maxim_analysis import CrossedShare, MaximSides, RuleShare
from assize.acts._taxonomy import Taxonomy
from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign_text
from assize.judgments import JudgmentTable
from assize.judgments.judges import usual
from assize.results import Column, Hidden, Result, ResultTable, Table
from assize.results.numbers import counted
from assize.stats import Estimate

VERSION = 2


@dataclass(frozen=True, slots=True)
class JudgedItems:
    """How many items of a judge are analysed, and why others are left out."""

    judge: str
    labels: str
    items: Annotated[int, Column("valid items")]
    left_out: int
    why: str | None


@dataclass(frozen=True)
class ActStudy(Result):
    """The analysis of one judge of acts, one of maxims, or both together.

    Args:
        acts_judge, maxims_judge: their names; None where there is none.
        items: valid items, by kind of judge.
        gold: how many of all items have a chosen response.
        excluded: items left out, by judge and reason.
        signature: of taxonomy, counting rules and data.
        asymmetry: the mean number of maxims, of twelve, that one response satisfies better.
        judged: what is analysed of each judge; this and the fields below hold a row each.
        hallucinated: functions that the taxonomy has not, with how often they are given.
        invented: labelled stretches that are no turn of the item.
        elsewhere: judged items that are not among those given, by judge; nothing is missing.
        examples: consecutive turns of the user with their acts.
        turns: the user's in the contexts, and those of them that have a next one.
        both_valid: items with valid acts and maxims; None where one of the judges is not there.
        selected: a sentence where a cascade chose what a judge was asked about.
        repeats: rows of judges' later runs, which are left out.
    """

    acts_judge: str | None
    maxims_judge: str | None
    items: Mapping[str, int]
    gold: Annotated[int, Column("items with a chosen response")]
    excluded: Mapping[str, Counter[str]]
    duplicates: Hidden[int]
    signature: str
    judged: Annotated[
        Sequence[JudgedItems],
        Table("What is analysed", "By the first vote: the one shown in order AB, or the only one."),
    ] = ()
    responses: Annotated[
        Sequence[CrossedShare],
        Table(
            "Do the two responses differ, and which satisfies more maxims?",
            notes=["A response satisfies a maxim where it keeps to it better, or both do."],
        ),
    ] = ()
    changes: Annotated[
        Sequence[ActChange],
        Table(
            "How often acts change",
            group="level",
            notes=[
                "A turn's acts are the set of its functions (or dimensions); the context alone"
                " counts."
            ],
        ),
    ] = ()
    functions: Annotated[
        Sequence[NameFrequency],
        Table("Frequency of functions", notes=["Share of each role's turns."], most=12),
    ] = ()
    dimensions: Annotated[
        Sequence[NameFrequency],
        Table("Frequency of dimensions", notes=["Share of each role's turns."], most=12),
    ] = ()
    distinct: Annotated[
        Sequence[DistinctActs],
        Table(
            "Distinct acts of a conversation",
            group="what",
            notes=[
                "Share of conversations in which a role uses at least so many distinct acts. A"
                " turn's act is the combination of all its dimensions and functions; these also"
                " count one by one."
            ],
        ),
    ] = ()
    after_user: Annotated[
        Sequence[Transition], Table("What follows an act of the user", most=12)
    ] = ()
    after_assistant: Annotated[
        Sequence[Transition], Table("What follows an act of the assistant", most=12)
    ] = ()
    labels: Annotated[Sequence[LabelShare], Table("Are the labels in the taxonomy?")] = ()
    sides: Annotated[
        Sequence[MaximSides], Table("Who keeps to each maxim", notes=["Share of pairs."])
    ] = ()
    rules: Annotated[
        Sequence[RuleShare],
        Table(
            "Does the chosen response satisfy more maxims?",
            notes=[
                "Share of pairs whose chosen response satisfies more maxims; the last one also"
                " asks that the judge chose it. Rules disagree as far as judges favour a place. The"
                " first is that of AMULET's table 17."
            ],
        ),
    ] = ()
    second_votes: Annotated[
        Sequence[SecondVote],
        Table(
            "How far the second vote differs",
            group="level",
            notes=[
                "Share that the second vote labels otherwise. By place compares different"
                " responses. As published, dimensions are those of all labels of a turn, as often"
                " as each is named."
            ],
        ),
    ] = ()
    asymmetry: Annotated[
        Estimate | None, Column("maxims of twelve that tell responses apart", digits=2)
    ] = None
    agreed: bool = False
    hallucinated: Mapping[str, int] = field(default_factory=dict)
    invented: Hidden[int] = 0
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    examples: Sequence[Example] = field(default=(), repr=False)
    turns: tuple[int, int] = (0, 0)
    both_valid: Hidden[int | None] = None
    selected: str | None = None
    repeats: Hidden[int] = 0

    @property
    def name(self) -> str:
        """Both judges' names."""
        return " + ".join(one for one in (self.acts_judge, self.maxims_judge) if one is not None)

    @property
    def left_out(self) -> int:
        """Judgments that should have been valid and are not; identical responses are no fault."""
        return sum(
            count
            for reasons in self.excluded.values()
            for reason, count in reasons.items()
            if reason != "identical responses"
        )

    @property
    def asked(self) -> int:
        """Items that were asked about: valid or not, by the judge with more of them."""
        judges = (("acts", self.acts_judge), ("maxims", self.maxims_judge))
        return max(
            self.items[kind] + sum(self.excluded.get(judge, {}).values())
            for kind, judge in judges
            if judge is not None
        )

    @property
    def sentence(self) -> str:
        """What was studied."""
        return f"{self.name}: {counted(self.asked, 'item')}, labelled with acts or maxims."

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Which maxims count, what is hallucinated, and how far the vote matters."""
        which = "those on which both votes agree" if self.agreed else "of the first vote"
        caution = cautions({self.name: self})
        counts = [f"{name or '(none)'} {count:,}" for name, count in self.hallucinated.items()]
        names = f"Hallucinated: {', '.join(counts) or 'none'}. Invented turns: {self.invented:,}."
        return {
            "judged": [f"Gold prefers a response in {self.gold:,} items."],
            "responses": [f"Maxims that count: {which}.", *caution],
            "labels": [names],
            "sides": [f"Maxims that count: {which}."],
            "rules": caution,
        }

    @property
    def notes(self) -> Sequence[str]:
        """What was judged and is not analysed, and what a cascade selected."""
        found = [
            f"{judge}: {count:,} judged items are not among those given, and are left out"
            for judge, count in self.elsewhere.items()
        ]
        if self.repeats:
            found.append(
                f"{self.repeats:,} rows of later repeats are left out: the first run is analysed"
            )
        return [*found, *([] if self.selected is None else [self.selected])]

    @property
    def missing(self) -> tuple[int, int]:
        """Votes without valid labels, and all."""
        return self.left_out, self.left_out + sum(self.items.values())


@dataclass(frozen=True, slots=True)
class ActsResult(Result):
    """What `assize acts` comes to: a study for each judge of acts.

    Args:
        studies: by judge of acts, with the judge of maxims that asks the same model.
    """

    heading = "Dialogue acts and maxims"

    studies: Sequence[ActStudy]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """By name; where there are several studies by `JUDGES: name`, as in their titles."""
        several = len(self.studies) > 1
        return {
            self.key(study, name): replace(
                table, title=f"{study.name}: {table.title}" if several else table.title
            )
            for study in self.studies
            for name, table in study.tables.items()
        }

    def key(self, study: ActStudy, name: str) -> str:
        """The key of a study's table."""
        return f"{study.name}: {name}" if len(self.studies) > 1 else name

    @property
    def sentence(self) -> str:
        """What was studied."""
        return " ".join(study.sentence for study in self.studies)

    @property
    def notes(self) -> Sequence[str]:
        """What is left out, and how far the vote matters."""
        notes: list[str] = []
        for study in self.studies:
            if study.left_out:
                notes.append(f"{study.name}: {study.left_out:,} first votes without valid labels.")
            if study.duplicates:
                notes.append(f"{study.name}: {study.duplicates:,} repeated rows; the first counts.")
            notes += [*study.notes, *cautions({study.name: study})]
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Votes without valid labels, and all."""
        counts = [study.missing for study in self.studies]
        return sum(one for one, _ in counts), sum(total for _, total in counts)

    @property
    def signature(self) -> str:
        """Of all studies."""
        return sign_text("|".join(study.signature for study in self.studies))

    def __str__(self) -> str:
        return "\n\n".join(f"{study.name}\n\n{study}" for study in self.studies)


def study_all(
    table: JudgmentTable,
    items: Mapping[str, Judged],
    taxonomy: Taxonomy,
    *,
    kept: Mapping[str, Taxonomy] = MappingProxyType({}),
    judges: list[str] | None = None,
    gold: str = "gold",
    agreed: bool = False,
) -> list[ActStudy]:
    """Return a study of each judge of acts, with the judge of maxims that asks the same model.

    Args:
        table: judgments with acts or maxims in their details.
        items: the judged items by id.
        taxonomy: that labels are checked against.
        kept: by judge of acts, a taxonomy to use instead.
        judges: only these; all when None.
        gold: judge whose preferences count as true, for items without gold.
        agreed: count a maxim only where both votes agree on it.

    Raises:
        DataError: no judgment holds acts or maxims, or none is about these items.
        ConfigError: one of `judges` gave no acts or maxims.
    """
    found = list(_matched(table, judges))
    if not found:
        raise DataError(
            "no judgment here holds dialogue acts or maxims; they come from the judges da,"
            " da-paper, da-intents, maxim, maxim-zeroshot and acts, or from recorded outputs"
        )
    return [
        study(
            table,
            items,
            kept.get(acts or "", taxonomy),
            acts=acts,
            maxims=maxims,
            gold=gold,
            agreed=agreed,
        )
        for acts, maxims in found
    ]


def _matched(
    table: JudgmentTable, judges: list[str] | None
) -> Iterator[tuple[str | None, str | None]]:
    """Judges of acts and of maxims by the model behind them, the only two in any case."""
    acts, maxims = act_judges(table), maxim_judges(table)
    if judges is not None and (acts or maxims):
        wanted = _named(judges, [*acts, *maxims])
        acts = [one for one in acts if one in wanted]
        maxims = [one for one in maxims if one in wanted]
    left = dict.fromkeys(maxims)
    for one in acts:
        same = [other for other in maxims if _model(other) == _model(one)]
        if not same and len(acts) == len(maxims) == 1:
            same = maxims
        for other in same[:1]:
            left.pop(other, None)
        yield one, (same[0] if same else None)
    for other in left:
        yield None, other


def _named(judges: Sequence[str], known: Sequence[str]) -> set[str]:
    """The judges of these names, in full or without their models."""
    found: set[str] = set()
    for name in judges:
        meant = usual(name)
        here = [one for one in known if meant in (one, re.split("[@#]", one)[0])]
        if not here:
            raise ConfigError(
                f"judges: {name!r} gave no dialogue acts or maxims here;"
                f" those who did are {', '.join(dict.fromkeys(known))}"
            )
        found.update(here)
    return found


def _model(judge: str) -> str:
    return judge.partition("@")[2]


def study(
    table: JudgmentTable,
    items: Mapping[str, Judged],
    taxonomy: Taxonomy,
    *,
    acts: str | None,
    maxims: str | None,
    gold: str = "gold",
    agreed: bool = False,
) -> ActStudy:
    """The analysis of a judge of acts and of a judge of maxims."""
    votes = gather(table, items, acts=acts, maxims=maxims, taxonomy=taxonomy, gold=gold)
    first = list(votes.acts["first"].values())
    held = votes.maxims["first"]
    _check_items(votes, [one for one in (acts, maxims) if one is not None])
    rule = "agreed" if agreed else "first"
    counting = f"acts|v{VERSION}|{taxonomy.name}:{taxonomy.hash}|{acts}|{maxims}|{gold}|{rule}"
    users = [sum(role == "user" for role in one.roles) for one in first]
    valid = {"acts": len(first), "maxims": len(held)}
    rows: dict[str, Any] = {"second_votes": []}
    if first:
        rows |= {
            "changes": list(analysis.changes(first)),
            "functions": analysis.frequencies(first, "function"),
            "dimensions": analysis.frequencies(first, "dimension"),
            "distinct": list(analysis.distinct(first)),
            "after_user": analysis.transitions(first, "user"),
            "after_assistant": analysis.transitions(first, "assistant"),
            "labels": analysis.validity(first, taxonomy),
            "hallucinated": analysis.hallucinated(first, taxonomy),
            "invented": sum(one.invented for one in first),
            "examples": examples(first, items),
        }
        rows["second_votes"] += analysis.variation(votes)
    if held:
        rows |= {
            "sides": list(maxim_analysis.sides(votes, agreed=agreed)),
            "rules": list(maxim_analysis.rules(votes)),
            "asymmetry": maxim_analysis.asymmetry(held.values()),
        }
        rows["second_votes"].append(maxim_analysis.maxim_variation(votes))
    if first and held:
        rows["responses"] = list(maxim_analysis.crossed(votes, agreed=agreed))
    judges = {"acts": acts, "maxims": maxims}
    both_valid = None
    if acts is not None and maxims is not None:
        both_valid = len(votes.acts["first"].keys() & held.keys())
    return ActStudy(
        acts,
        maxims,
        valid,
        len(votes.gold),
        votes.excluded,
        votes.duplicates,
        sign_text(f"{counting}|{_fingerprint(votes)}"),
        judged=[
            _judged(labels, judge, valid[labels], votes.excluded.get(judge, {}))
            for labels, judge in judges.items()
            if judge is not None
        ],
        **rows,
        agreed=agreed,
        elsewhere=votes.elsewhere,
        turns=(sum(users), sum(max(0, count - 1) for count in users)),
        both_valid=both_valid,
        repeats=votes.repeats,
    )


def _judged(labels: str, judge: str, items: int, reasons: Mapping[str, int]) -> JudgedItems:
    why = ", ".join(f"{reason}: {count:,}" for reason, count in reasons.items())
    return JudgedItems(judge, labels, items, sum(reasons.values()), why or None)


def _check_items(votes: Votes, judges: Sequence[str]) -> None:
    """Refuses items of which none was judged: all figures would be of nothing."""
    anything = any((votes.acts["first"], votes.maxims["first"], *map(len, votes.excluded.values())))
    if not anything and votes.elsewhere:
        raise DataError(
            f"{' and '.join(judges)} judged none of these items, but"
            f" {sum(votes.elsewhere.values()):,} others; give what was judged"
        )


def _fingerprint(votes: Votes) -> str:
    """What the figures are made from, whatever the order of rows."""
    acts = sorted((vote, repr(one)) for vote in votes.acts for one in votes.acts[vote].values())
    held = sorted((vote, repr(one)) for vote in votes.maxims for one in votes.maxims[vote].values())
    return sign_text(repr((acts, held, sorted(votes.gold.items()))))


def cautions(studies: Mapping[str, ActStudy]) -> list[str]:
    """How far maxims are a matter of the vote: a sentence a study that has both."""
    notes = []
    for name, study in studies.items():
        shares = {row.rule: row.chosen_more.estimate for row in study.rules}
        if "second" in shares and "first" in shares:
            notes.append(
                f"Caution{of_study(name, studies)}: by the first vote {100 * shares['first']:.1f}%,"
                f" by the second {100 * shares['second']:.1f}% of pairs favour the chosen response;"
                " the votes differ only in which response is shown first."
            )
    return notes


def of_study(name: str, studies: Mapping[str, ActStudy]) -> str:
    """Return the name of a study behind a comma, where there are several."""
    return f", {name}" if len(studies) > 1 else ""

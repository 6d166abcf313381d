"""One study: everything that `assize acts` says about a judge of acts and one of maxims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from types import MappingProxyType
from typing import Any

from assize.dialogue_acts import analysis, maxim_analysis
from assize.dialogue_acts.analysis import (
    COUNTED,
    LEVELS,
    ROLES,
    Changes,
    Frequency,
    Validity,
    Variation,
    maxim_variation,
    variation,
)
from assize.dialogue_acts.annotations import (
    Annotation,
    Judged,
    Votes,
    act_judges,
    gather,
    maxim_judges,
)
from assize.dialogue_acts.examples import Example, examples
from assize.dialogue_acts.maxim_analysis import Crossed, More, PerMaxim
from assize.dialogue_acts.taxonomy import Taxonomy
from assize.errors import ConfigError, DataError
from assize.judgments import JudgmentTable
from assize.judgments.judges import usual
from assize.results import Result, ResultTable
from assize.signature import sign_text
from assize.stats import Estimate

VERSION = 2


@dataclass(frozen=True)
class OfActs:
    """What the first votes' acts show; by role and level (function or dimension)."""

    frequency: Mapping[str, Mapping[str, Frequency]]  # level -> role
    # act, function or dimension -> role -> at least x
    distinct: Mapping[str, Mapping[str, Mapping[int, Estimate]]]
    changes: Mapping[str, Mapping[str, Changes]]  # level -> role
    following: Mapping[str, Estimate]  # level: the assistant's change after the human's
    across: Mapping[str, Estimate]  # level: the two responses differ
    transitions: Mapping[str, Mapping[str, Mapping[str, int]]]  # role -> act -> next act
    validity: Validity
    variation: Mapping[str, Variation]


@dataclass(frozen=True)
class OfMaxims:
    """What the votes' maxims show; `agreed` counts those alone on which both votes agree."""

    agreed: bool
    per_maxim: Mapping[str, PerMaxim]
    asymmetry: Estimate
    by_rule: Mapping[str, More]
    variation: Estimate


@dataclass(frozen=True)
class ActStudy(Result):
    """The analysis of one judge of acts, one of maxims, or both together.

    Args:
        acts_judge, maxims_judge: their names; None where there is none.
        items: valid items, by kind of judge.
        gold: how many of all items have a chosen response.
        excluded: items left out, by judge and reason.
        acts, maxims: the findings; None without such a judge or a valid item.
        crossed: acts crossed with maxims, where there are both.
        signature: of taxonomy, counting rules and data.
        elsewhere: judged items that are not among those given, by judge; nothing is missing.
        examples: consecutive turns of the user with their acts.
        turns: the user's in the contexts, and those of them that have a next one.
        both_valid: items with valid acts and maxims; None where one of the judges is not there.
        selected: a sentence where a cascade chose what a judge was asked about.
        repeats: rows of judges' later runs, which are left out.
    """

    tables_from = "assize.dialogue_acts.tables:tables_of"

    acts_judge: str | None
    maxims_judge: str | None
    items: Mapping[str, int]
    gold: int
    excluded: Mapping[str, Counter[str]]
    duplicates: int
    acts: OfActs | None
    maxims: OfMaxims | None
    crossed: Crossed | None
    signature: str
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    examples: Sequence[Example] = ()
    turns: tuple[int, int] = (0, 0)
    both_valid: int | None = None
    selected: str | None = None
    repeats: int = 0

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
    def lines(self) -> Sequence[str]:
        """The signature."""
        return [f"signature {self.signature}"]

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

    def to_json(self) -> dict[str, Any]:
        """The object of `--json`: shares with count, percent and interval."""
        return {
            "acts_judge": self.acts_judge,
            "maxims_judge": self.maxims_judge,
            "items": dict(self.items),
            "gold": self.gold,
            "excluded": {judge: dict(reasons) for judge, reasons in self.excluded.items()},
            "duplicates": self.duplicates,
            "elsewhere": dict(self.elsewhere),
            "selected": self.selected,
            "turns": {"user": self.turns[0], "consecutive": self.turns[1]},
            "acts": None if self.acts is None else plain(self.acts),
            "maxims": None if self.maxims is None else _maxims_json(self.maxims),
            "crossed": None if self.crossed is None else _crossed_json(self.crossed),
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True)
class ActsResult(Result):
    """What `assize acts` comes to: a study for each judge of acts.

    Args:
        studies: by judge of acts, with the judge of maxims that asks the same model.
    """

    studies: Sequence[ActStudy]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """By title; where there are several studies by `JUDGES: title`."""
        several = len(self.studies) > 1
        return {
            f"{study.name}: {title}" if several else title: table
            for study in self.studies
            for title, table in study.tables.items()
        }

    @property
    def lines(self) -> Sequence[str]:
        """The signature."""
        return [f"signature {self.signature}"]

    @property
    def missing(self) -> tuple[int, int]:
        """Votes without valid labels, and all."""
        counts = [study.missing for study in self.studies]
        return sum(one for one, _ in counts), sum(total for _, total in counts)

    @property
    def signature(self) -> str:
        """Of all studies."""
        return sign_text("|".join(study.signature for study in self.studies))

    def to_json(self) -> dict[str, Any]:
        """Every study by its judges' names."""
        return {
            "studies": {study.name: study.to_json() for study in self.studies},
            "signature": self.signature,
        }

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
    """A study for each judge of acts with the judge of maxims that asks the same model.

    Args:
        kept: by judge of acts, the taxonomy that takes the place of `taxonomy`.
        judges: only these; all when None.
        gold: the judge whose preferences are gold where items have none.
        agreed: whether a maxim counts only where both votes agree on it.

    Raises:
        DataError: no judgment holds acts or maxims, or none is about these items.
        ConfigError: one of `judges` is not among those who gave some.
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
    return ActStudy(
        acts,
        maxims,
        {"acts": len(first), "maxims": len(held)},
        len(votes.gold),
        votes.excluded,
        votes.duplicates,
        of_acts(first, votes, taxonomy) if first else None,
        _of_maxims(votes, agreed) if held else None,
        maxim_analysis.crossed(votes, agreed=agreed) if first and held else None,
        sign_text(f"{counting}|{_fingerprint(votes)}"),
        votes.elsewhere,
        examples(first, items),
        (sum(users), sum(max(0, count - 1) for count in users)),
        None if None in (acts, maxims) else len(votes.acts["first"].keys() & held.keys()),
        repeats=votes.repeats,
    )


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


def of_acts(first: list[Annotation], votes: Votes, taxonomy: Taxonomy) -> OfActs:
    """The findings on acts."""
    return OfActs(
        frequency={level: analysis.frequencies(first, level) for level in LEVELS},
        distinct={
            what: {role: analysis.distinct(first, role, what) for role in ROLES} for what in COUNTED
        },
        changes={
            level: {role: analysis.changes(first, role, level) for role in ROLES}
            for level in LEVELS
        },
        following={level: analysis.following(first, level) for level in LEVELS},
        across={level: analysis.differing(first, level) for level in LEVELS},
        transitions={role: analysis.transitions(first, role) for role in ROLES},
        validity=analysis.validity(first, taxonomy),
        variation=variation(votes),
    )


def _of_maxims(votes: Votes, agreed: bool) -> OfMaxims:
    held = votes.maxims["first"].values()
    return OfMaxims(
        agreed,
        maxim_analysis.per_maxim(votes, agreed=agreed),
        maxim_analysis.asymmetry(held),
        maxim_analysis.by_rule(votes),
        maxim_variation(votes),
    )


def plain(value: Any) -> Any:
    """Findings as JSON: an Estimate with a count is a share, any other a statistic."""
    if isinstance(value, Estimate):
        return value.to_share() if "count" in value.details else value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    return value


def _maxims_json(found: OfMaxims) -> dict[str, Any]:
    return {
        **plain(found),
        "per_maxim": {name: plain(one.shares) for name, one in found.per_maxim.items()},
    }


def _crossed_json(found: Crossed) -> dict[str, Any]:
    both: dict[str, Any] = {"n": found.n}
    for alike, share in (("same", found.same), ("different", found.different)):
        cells = {
            more if more == "equal" else f"{more}_more": plain(found.cells[alike, more])
            for more in maxim_analysis.MORE
        }
        both[alike] = {**plain(share), **cells}
    return both

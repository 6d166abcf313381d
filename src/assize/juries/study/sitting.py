"""Every judge and jury on every data set, by the one decider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.formats.recipes import humans
from assize.judgments import JudgmentTable
from assize.juries.decide import decide
from assize.juries.decisions import NOT_ASKED
from assize.juries.jury_result import JuryResult
from assize.juries.names import parse_cascade
from assize.juries.study.methods import Method, bound
from assize.results import Share
from assize.results.types import NAN

MOST_NOT_ASKED = 0.05
"""Share of the items that a judge would have had to decide and was not asked about, above which
what it came to is no figure of the data set: a live cascade's later judge alone, for one."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """One set of pairs with what judges said of them.

    Args:
        name: as the tables call it.
        table: votes, and maybe gold labels by the judge `gold`.
        pairs: what was judged, by id, where it is known.
    """

    name: str
    table: JudgmentTable = field(repr=False)
    pairs: Mapping[str, Pair] | None = field(default=None, repr=False)

    def of_length(self, least: int) -> Mapping[str, Pair] | None:
        """The pairs with as many turns of the user or more; all for 0.

        Raises:
            DataError: the pairs are not known, or none is as long.
        """
        if not least:
            return self.pairs
        if self.pairs is None:
            raise DataError("the pairs are not known, and so not how many turns they have")
        found = {name: one for name, one in self.pairs.items() if user_turns(one) >= least}
        if not found:
            raise DataError(f"no pair has {least} user turns or more")
        return found


def user_turns(pair: Pair) -> int:
    """Turns of the user: of the context, or of the first dialogue where two are compared whole."""
    return humans(pair) if pair.context else sum(turn.role == "user" for turn in pair.a)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sitting stands in a table.

    Args:
        data: the data set's name.
        method: as written.
        model: whose judges sat; None for a method that is no model's.
        least: user turns that a pair has at least; 0 for all.
    """

    data: str
    method: str
    model: str | None = None
    least: int = 0


@dataclass(frozen=True)
class Sitting:
    """One judge or jury on one data set: what it came to, or why that is not known."""

    result: JuryResult | None
    reason: str | None = None

    def share(self, name: str = "win") -> Share:
        """A result's share of all items; NaN with a reason where it cannot be known."""
        if self.result is None or self.result.outcome.jury is None:
            return Share(NAN, reason=self.reason or "no pair has gold")
        return self.result.outcome.jury.share(name)


def sit_all(
    sets: Sequence[DataSet],
    methods: Sequence[Method],
    models: Sequence[str],
    *,
    least: Sequence[int] = (0,),
    question: str = "preference",
    gold: str = "gold",
) -> dict[Place, Sitting]:
    """Every method on every set, of every model where it has judges of models.

    Args:
        least: user turns that pairs must have, each number a column.
        question, gold: as of `decide`.
    """
    found: dict[Place, Sitting] = {}
    known = every_judge(sets, gold)
    for data in sets:
        for method in methods:
            of = list(models) if bound(method, known) else [None]
            for model in of:
                for turns in least:
                    place = Place(data.name, method.written, model, turns)
                    found[place] = sit_one(data, method, place, known, question, gold)
    return found


def every_judge(sets: Sequence[DataSet], gold: str = "gold") -> list[str]:
    """Who has judged on any set."""
    return list(dict.fromkeys(name for one in sets for name in judges_of(one.table, gold)))


def judges_of(table: JudgmentTable, gold: str = "gold") -> list[str]:
    """Who has judged, gold left out."""
    return [name for name in table.judges if name != gold]


def voters(sets: Sequence[DataSet], question: str, gold: str = "gold") -> list[str]:
    """Who has voted on a question, people and juries left out."""
    found: dict[str, None] = {}
    for one in sets:
        people = set(one.table.where(kind="person").judges)
        voted = judges_of(one.table.where(question=question), gold)
        for name in voted:
            alone = not name.startswith("jury:") and parse_cascade(name) == (name,)
            if alone and name not in people:
                found[name] = None
    return list(found)


def sit_one(
    data: DataSet,
    method: Method,
    place: Place,
    every: Sequence[str],
    question: str = "preference",
    gold: str = "gold",
) -> Sitting:
    """One method on one set; where it cannot sit, why.

    Args:
        every: the judges that have judged on any set.
    """
    try:
        named = method.of_model(place.model, judges_of(data.table, gold), every)
        result = decide(
            data.table,
            named.jury,
            pairs=data.of_length(place.least),
            question=question,
            gold=gold,
        )
    except (ConfigError, DataError) as error:
        return Sitting(None, str(error))
    reason = _not_asked(result)
    return Sitting(result) if reason is None else Sitting(None, reason)


def _not_asked(result: JuryResult) -> str | None:
    """Says so where a judge was not asked about too many items that were left to it."""
    outcome = result.outcome
    decisions, countable = outcome.verdicts.decisions, outcome.counted | outcome.not_asked
    n = int(countable.sum())
    not_asked = (decisions.reasons == NOT_ASKED) & outcome.verdicts.read & countable
    counts = dict(zip(decisions.judges, not_asked.sum(axis=1).tolist(), strict=True))
    name = max(counts, key=lambda judge: counts[judge], default="")
    if counts.get(name, 0) <= MOST_NOT_ASKED * n:
        return None
    return f"{name} was not asked about {counts[name]:,} of {n:,} pairs that were left to it"

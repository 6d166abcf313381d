"""A jury sits: from a table of judgments and a few words to the outcome, ready to be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assize.conversation import Pair
from assize.errors import ConfigError, DataError
from assize.judging.identical import identical
from assize.judging.judge import sign
from assize.judgment import Judgment, JudgmentTable
from assize.jury.ballots import Ballots, gather, gold_in, gold_of
from assize.jury.cascade import cascade
from assize.jury.names import resolve
from assize.jury.outcome import Outcome, WhenUnscored, sit
from assize.jury.panel import panel
from assize.jury.reliability import Reliability, fit_reliability
from assize.jury.verdict import Verdict

VERSION = 1  # rises when the same judgments give other figures


@dataclass(frozen=True, slots=True)
class Composition:
    """Who sits, and how they come to a verdict.

    Args:
        cascade: names, first asked first; a full name or its beginning.
        panel: weights by name, where all are heard; every judge equally when neither is given.
        reliability: the panel's weights are learnt from the votes (`fit_reliability`).
        exchangeable: for `reliability`: which response is called A is chance.
        model: chooses among judges of one name.
        unscored: see `sit`.
        seed: of what is drawn for the intervals of reliabilities.
    """

    cascade: tuple[str, ...] = ()
    panel: Mapping[str, float] = field(default_factory=dict)
    reliability: bool = False
    exchangeable: bool = False
    model: str | None = None
    unscored: WhenUnscored = "skip"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.cascade and (self.panel or self.reliability):
            raise ConfigError(
                "a cascade asks one after the other; leave --panel, --reliability out"
            )
        if self.reliability and any(weight != 1 for weight in self.panel.values()):
            raise ConfigError("--reliability learns the weights; give --panel names without any")

    @property
    def written(self) -> str:
        """The jury in one line."""
        if self.cascade:
            return " > ".join(self.cascade)
        names = ", ".join(
            name if weight == 1 else f"{name}={weight:g}" for name, weight in self.panel.items()
        )
        return f"{'reliability' if self.reliability else 'panel'} of {names or 'all'}"


@dataclass(frozen=True)
class Sitting:
    """A jury that has sat.

    Args:
        composition: as it was asked for.
        judges: full names of those who sat.
        outcome: all verdicts, against gold where it is known.
        reliability: what was learnt of the judges, where it was.
        signature: of the composition, the judges' own signatures and the method's version.
    """

    composition: Composition
    judges: tuple[str, ...]
    question: str
    outcome: Outcome
    signature: str
    reliability: Reliability | None = None

    def judgments(self) -> Iterable[Judgment]:
        """The verdicts as judgments by this jury."""
        name = f"jury:{self.composition.written}"
        for verdict in self.outcome.verdicts:
            yield verdict.to_judgment(name, self.question, self.signature)


def hold(
    table: JudgmentTable,
    composition: Composition,
    *,
    pairs: Mapping[str, Pair] | None = None,
    question: str = "preference",
    gold: str = "gold",
) -> Sitting:
    """Lets a jury sit on stored judgments.

    Args:
        table: votes, and maybe gold labels by the judge `gold`.
        pairs: what was judged, by id; they say which items count, their gold, and which
            responses are identical. All judged items count when None.
        question: that the votes answer.
        gold: the judge whose answers are gold; a pair's own gold comes first.

    Raises:
        ConfigError: a judge is not known, or the composition contradicts itself.
        DataError: there is no vote on the question.
    """
    ballots = gather(table, question, gold=gold)
    if not ballots.judges:
        asked = ", ".join(table.questions) or "nothing"
        raise DataError(f"there is no vote on {question!r} among these judgments; asked: {asked}")
    judges, decide, learnt = _seated(ballots, composition, pairs)
    truth = gold_of(table, question, gold=gold)
    if pairs is not None:
        own = {name: gold_in(pair, question) for name, pair in pairs.items()}
        truth |= {name: answer for name, answer in own.items() if answer is not None}
    outcome = sit(
        ballots,
        judges,
        ballots.items if pairs is None else list(pairs),
        decide,
        gold=truth,
        identical=[] if pairs is None else [name for name, one in pairs.items() if identical(one)],
        unscored=composition.unscored,
    )
    signature = _signature(table, composition, judges, question, gold, learnt)
    return Sitting(composition, judges, question, outcome, signature, learnt)


def _seated(
    ballots: Ballots, composition: Composition, pairs: Mapping[str, Pair] | None
) -> tuple[tuple[str, ...], Callable[[str], Verdict], Reliability | None]:
    """Who sits, how one item is decided, and what was learnt for it."""
    model = composition.model
    if composition.cascade:
        order = tuple(resolve(name, ballots.judges, model) for name in composition.cascade)
        _once(order)
        return order, lambda item: cascade(ballots, order, item), None
    given = composition.panel or dict.fromkeys(ballots.judges, 1.0)
    names = tuple(resolve(name, ballots.judges, model) for name in given)
    _once(names)
    if not composition.reliability:
        weights = dict(zip(names, given.values(), strict=True))
        return names, lambda item: panel(ballots, weights, item), None
    learnt = fit_reliability(
        ballots,
        names,
        ballots.items if pairs is None else pairs,
        exchangeable=composition.exchangeable,
        rng=np.random.default_rng(composition.seed),
    )
    return names, lambda item: learnt.decide(ballots, item), learnt


def _once(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        raise ConfigError(f"one judge is named twice: {', '.join(names)}")


def _signature(
    table: JudgmentTable,
    composition: Composition,
    judges: Sequence[str],
    question: str,
    gold: str,
    learnt: Reliability | None,
) -> str:
    own: dict[str, set[str]] = {name: set() for name in judges}
    for row in table:
        if row.judge in own and row.signature is not None:
            own[row.judge].add(row.signature)
    weights = list(composition.panel.values())
    return sign(
        {"jury": VERSION, "cascade": bool(composition.cascade), "weights": weights},
        {"judges": {name: sorted(signed) for name, signed in own.items()}, "order": list(judges)},
        {"unscored": composition.unscored, "question": question, "gold": gold},
        {"reliability": None if learnt is None else [learnt.signature, composition.seed]},
    )

"""A jury sits: from a table of judgments and a few words to the outcome, ready to be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from assize.conversation import Pair
from assize.errors import ConfigError, DataError
from assize.judging.aspects import OVERALL
from assize.judging.judge import identical
from assize.judging.summary import Summary
from assize.judgment import PREFERENCE, Judgment
from assize.judgments import JudgmentTable
from assize.judgments.judges import resolve
from assize.juries.ballots import Ballots, gather, gold_in, gold_of
from assize.juries.cascade import cascade
from assize.juries.outcome import Outcome, WhenUnscored, sit
from assize.juries.panel import panel
from assize.juries.reliability import (
    Learning,
    LearntReliabilities,
    Reliability,
    learn,
    preference_questions,
)
from assize.juries.verdict import Verdict
from assize.results import Result
from assize.signature import sign

VERSION = 1  # rises when the same judgments give other figures


@dataclass(frozen=True, slots=True)
class Composition:
    """Who sits, and how they come to a verdict.

    Args:
        cascade: names, first asked first; a full name or its beginning.
        panel: weights by name, where all are heard; every judge equally when neither is given.
        reliability: the panel's weights are learnt from the votes (`reliability.learn`).
        exchangeable, tied: for `reliability`; see `reliability.Learning`.
        anchor: for `reliability`: judges that are trusted, or the name of gold, whose labels
            then enter the fit.
        model: chooses among judges of one name, by enough of a model's name to tell.
        unscored: see `sit`.
        seed: of what is drawn for the intervals of reliabilities.
    """

    cascade: tuple[str, ...] = ()
    panel: Mapping[str, float] = field(default_factory=dict)
    reliability: bool = False
    exchangeable: bool = False
    tied: bool = False
    anchor: tuple[str, ...] = ()
    model: str | None = None
    unscored: WhenUnscored = "skip"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.cascade and (self.panel or self.reliability):
            raise ConfigError(
                "a cascade asks one after the other; leave --panel, --reliability out"
            )
        for name in ("exchangeable", "tied", "anchor"):
            if getattr(self, name) and not self.reliability:
                raise ConfigError(f"{name} is for reliability; add it, or leave it out")
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
class Live:
    """How the judges of a live jury were asked.

    Args:
        out: the run's folder.
        summary: what was asked, earlier sessions included.
        asked: items that each judge was asked about, by full name.
        interrupted: it was stopped before the end; the same command continues.
        waiting: answers that wait for a batch.
    """

    out: Path
    summary: Summary
    asked: Mapping[str, int]
    interrupted: bool = False
    waiting: int = 0


@dataclass(frozen=True)
class JuryResult(Result):
    """A jury that has sat.

    Args:
        composition: as it was asked for.
        judges: full names of those who sat.
        outcome: all verdicts, against gold where it is known.
        learnt: what was learnt of the judges, on every question that was looked at.
        signature: of the composition, the judges' own signatures and the method's version.
        pairs: by id, where they are known.
        live: how the judges were asked, where they were.
    """

    tables_from = "assize.juries.tables:tables_of"

    composition: Composition
    judges: tuple[str, ...]
    question: str
    outcome: Outcome
    signature: str
    learnt: LearntReliabilities | None = None
    pairs: Mapping[str, Pair] = field(default_factory=dict, repr=False)
    live: Live | None = None

    @property
    def reliability(self) -> Reliability | None:
        """What was learnt of the judges on the question that the verdicts answer."""
        return None if self.learnt is None else self.learnt.by_question[self.question]

    def judgments(self) -> Iterable[Judgment]:
        """The verdicts as judgments by this jury; with reliabilities each has its distribution,
        and the labels on all other questions follow."""
        name, found = f"jury:{self.composition.written}", self.reliability
        for verdict in self.outcome.verdicts:
            row = verdict.to_judgment(name, self.question, self.signature)
            known = found is not None and verdict.item in found.probability
            if known and found is not None and verdict.answer is not None:
                row = replace(row, distribution=found.distribution(verdict.item))
            yield row
        if self.learnt is not None:
            yield from self.learnt.judgments(name, leave_out=self.question)

    @property
    def questions(self) -> tuple[str, ...]:
        """All that `judgments` answer."""
        return (self.question,) if self.learnt is None else self.learnt.questions

    @property
    def notes(self) -> Sequence[str]:
        """Who the judges are, what it took, and what a reader of the figures must know."""
        found: Sequence[str] = self.made("notes_of")
        return found

    @property
    def unfinished(self) -> Sequence[str]:
        """Why a live jury is not at its end, if it is not."""
        found: Sequence[str] = self.made("unfinished_of")
        return found

    @property
    def interrupted(self) -> bool:
        """Whether a live jury was stopped before the end."""
        return self.live is not None and self.live.interrupted

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored verdicts, and all that count."""
        return self.outcome.unscored, self.outcome.n

    def to_json(self) -> dict[str, Any]:
        """The figures; of a live jury what it took as well."""
        found: dict[str, Any] = self.made("as_json")
        return found


def decide(
    table: JudgmentTable,
    composition: Composition,
    *,
    pairs: Mapping[str, Pair] | None = None,
    question: str = "preference",
    gold: str = "gold",
    members: Sequence[str] = (),
) -> JuryResult:
    """Lets a jury sit on stored judgments.

    Args:
        table: votes, and maybe gold labels by the judge `gold`.
        pairs: what was judged, by id; they say which items count, their gold, and which
            responses are identical. All judged items count when None.
        question: that the votes answer.
        gold: the judge whose answers are gold; a pair's own gold comes first.
        members: full names of judges that may not have been asked about anything yet.

    With `reliability` and the usual question, what every question that asks for a preference
    tells is learnt; verdicts are on `preference`, else on `Overall`, else on the first.

    Raises:
        ConfigError: a judge is not known, or the composition contradicts itself.
        DataError: there is no vote on the question, or none on any of the pairs.
    """
    questions: tuple[str, ...] = (question,)
    if composition.reliability and question == PREFERENCE.id:
        questions = _asked_of(table, gold) or questions
        question = next((one for one in (question, OVERALL) if one in questions), questions[0])
    ballots = gather(table, question, gold=gold, members=members)
    if not ballots.judges:
        asked = ", ".join(table.questions) or "nothing"
        raise DataError(f"there is no vote on {question!r} among these judgments; asked: {asked}")
    truth = truth_of(table, question, gold, pairs)
    if pairs is not None and ballots.items and not set(ballots.items) & set(pairs):
        raise DataError(
            f"no judged item is among the pairs: judged were {ballots.items[0]!r} and others,"
            f" the pairs are {next(iter(pairs), 'none')!r} and others"
        )
    items = list(ballots.items if pairs is None else pairs)
    same = [] if pairs is None else [name for name, one in pairs.items() if identical(one)]
    rest = _Rest(ballots, truth, frozenset(same), composition.unscored)
    judges, learnt = names_of(composition, ballots.judges), None
    decide: Callable[[str], Verdict]
    if composition.cascade:
        decide = partial(cascade, ballots, judges)
    elif composition.reliability:
        learnt = _learnt(table, composition, questions, judges, items, gold, pairs)
        decide = partial(learnt.by_question[question].decide, ballots)
    else:
        weights = composition.panel or dict.fromkeys(judges, 1.0)
        decide = partial(panel, ballots, dict(zip(judges, weights.values(), strict=True)))
    outcome = rest.sit(judges, items, decide)
    signature = _signature(table, composition, judges, question, gold, learnt)
    known = {} if pairs is None else pairs
    return JuryResult(composition, judges, question, outcome, signature, learnt, known)


@dataclass(frozen=True, slots=True)
class _Rest:
    """What every result on the same judgments shares."""

    ballots: Ballots
    truth: Mapping[str, str]
    same: frozenset[str]
    unscored: WhenUnscored

    def sit(
        self, judges: Sequence[str], items: Sequence[str], decide: Callable[[str], Verdict]
    ) -> Outcome:
        return sit(
            self.ballots,
            judges,
            items,
            decide,
            gold=self.truth,
            identical=self.same,
            unscored=self.unscored,
        )


def _asked_of(table: JudgmentTable, gold: str) -> tuple[str, ...]:
    """Questions of preference that a judge, and not only gold, has answered."""
    judges = [name for name in table.judges if name != gold]
    return preference_questions(table.where(judge=judges, turn=None))


def _learnt(
    table: JudgmentTable,
    composition: Composition,
    questions: Sequence[str],
    judges: Sequence[str],
    items: Sequence[str],
    gold: str,
    pairs: Mapping[str, Pair] | None,
) -> LearntReliabilities:
    """Reliabilities on every question, of all its judges unless a panel is named."""
    rows = table.where(question=list(questions), turn=None)
    if not composition.panel:
        judges = tuple(dict.fromkeys([*judges, *(one for one in rows.judges if one != gold)]))
    if pairs is None:
        items = list(dict.fromkeys([*items, *rows.where(judge=list(judges)).items]))
    named = [one for one in composition.anchor if one != gold]
    trusted = tuple(resolve(one, judges, composition.model) for one in named)
    labels = {}
    if gold in composition.anchor:
        labels = {one: truth_of(table, one, gold, pairs) for one in questions}
        if not any(labels.values()):
            raise DataError(f"anchor names {gold!r}, and no pair has a label; give items with gold")
    how = Learning(composition.exchangeable, composition.tied, trusted)
    rng = np.random.default_rng(composition.seed)
    return learn(table, questions, judges, items, how=how, labels=labels, rng=rng)


def truth_of(
    table: JudgmentTable, question: str, gold: str, pairs: Mapping[str, Pair] | None
) -> dict[str, str]:
    """Gold by item: the pairs' own first, else that of the judge `gold`."""
    truth = gold_of(table, question, gold=gold)
    for name, pair in (pairs or {}).items():
        answer = gold_in(pair, question)
        if answer is not None:
            truth[name] = answer
    return truth


def names_of(composition: Composition, known: Sequence[str]) -> tuple[str, ...]:
    """The full names of who sits, in the order in which they are asked or weighed."""
    given = composition.cascade or tuple(composition.panel) or tuple(known)
    names = tuple(resolve(name, known, composition.model) for name in given)
    if len(set(names)) < len(names):
        raise ConfigError(f"one judge is named twice: {', '.join(names)}")
    return names


def _signature(
    table: JudgmentTable,
    composition: Composition,
    judges: Sequence[str],
    question: str,
    gold: str,
    learnt: LearntReliabilities | None,
) -> str:
    own = {name: _signatures(table.where(judge=name)) for name in judges}
    weights = list(composition.panel.values())
    return sign(
        {"jury": VERSION, "cascade": bool(composition.cascade), "weights": weights},
        {"judges": own, "order": list(judges)},
        {"unscored": composition.unscored, "question": question, "gold": gold},
        {"reliability": None if learnt is None else [learnt.fit.signature, composition.seed]},
    )


def _signatures(table: JudgmentTable) -> list[str]:
    """The different signatures of some rows, sorted."""
    codes, known = table.codes("signature")
    return sorted(known[code] for code in np.unique(codes[codes >= 0]).tolist())

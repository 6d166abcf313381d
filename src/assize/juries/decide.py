"""From a table of judgments and a composition to what the jury decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE
from assize.base.signature import sign
from assize.judging.aspects import OVERALL
from assize.judging.judge import identical
from assize.judgments import JudgmentTable
from assize.judgments.judges import resolve
from assize.juries.ballots import gather, gold_in, gold_of
from assize.juries.composition import Composition
from assize.juries.jury_result import JuryResult, jury_result
from assize.juries.outcome import sit
from assize.juries.reliability import Learning, LearntReliabilities, learn, preference_questions
from assize.juries.rules import Verdict, cascade, panel

VERSION = 1  # rises when the same judgments give other figures


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
    outcome = sit(
        ballots,
        judges,
        items,
        decide,
        gold=truth,
        identical=same,
        unscored=composition.unscored,
    )
    signature = _signature(table, composition, judges, question, gold, learnt)
    known = {} if pairs is None else pairs
    return jury_result(composition, question, outcome, signature, learnt, known)


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

"""From a table of judgments and a composition to what the jury decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE
from assize.base.signature import sign
from assize.judging.aspects import OVERALL
from assize.judging.judge import identical
from assize.judgments import JudgmentTable
from assize.judgments.judges import resolve
from assize.juries.composition import Cascade, Jury, Reliability
from assize.juries.decisions import collect_decisions, gold_answers
from assize.juries.jury_result import JuryResult, jury_result
from assize.juries.outcome import evaluate
from assize.juries.reliability import Learning, LearntReliabilities, learn, preference_questions
from assize.juries.rules import cascade, panel

VERSION = 2  # rises when the same judgments give other figures


def decide(
    table: JudgmentTable,
    jury: Jury,
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
        gold: judge whose answers count as true; a pair's own gold comes first.
        members: full names of judges that may not have been asked about anything yet.

    With `Reliability` and the usual question, what every question that asks for a preference
    tells is learnt; verdicts are on `preference`, else on `Overall`, else on the first.

    Raises:
        ConfigError: a judge is not known, or one is named twice.
        DataError: there is no vote on the question, or none on any of the pairs.
    """
    questions: tuple[str, ...] = (question,)
    if isinstance(jury, Reliability) and question == PREFERENCE.id:
        others = [name for name in table.judges if name != gold]
        questions = preference_questions(table.where(judge=others, turn=None)) or questions
        question = next((one for one in (question, OVERALL) if one in questions), questions[0])
    decisions = collect_decisions(table, question, gold=gold, members=members)
    if not decisions.judges:
        asked = ", ".join(table.questions) or "nothing"
        raise DataError(f"there is no vote on {question!r} among these judgments; asked: {asked}")
    truth = gold_answers(table, question, gold, pairs)
    if pairs is not None and decisions.items and not set(decisions.items) & set(pairs):
        raise DataError(
            f"no judged item is among the pairs: judged were {decisions.items[0]!r} and others,"
            f" the pairs are {next(iter(pairs), 'none')!r} and others"
        )
    judges, learnt = names_of(jury, decisions.judges), None
    decisions = decisions.select(judges, list(decisions.items if pairs is None else pairs))
    if isinstance(jury, Cascade):
        verdicts = cascade(decisions)
    elif isinstance(jury, Reliability):
        learnt = _learnt(table, jury, questions, judges, decisions.items, gold, pairs)
        verdicts = learnt.by_question[question].decide(decisions)
    else:
        verdicts = panel(decisions, list(jury.weights.values()) or [1.0] * len(judges))
    same = [pairs is not None and identical(pairs[item]) for item in decisions.items]
    verdicts = verdicts.tie_identical(np.array(same, dtype=bool))
    outcome = evaluate(verdicts, truth, jury.unscored)
    signature = _signature(table, jury, judges, question, gold, learnt)
    known = {} if pairs is None else pairs
    return jury_result(jury, question, outcome, signature, learnt, known)


def _learnt(
    table: JudgmentTable,
    jury: Reliability,
    questions: Sequence[str],
    judges: Sequence[str],
    items: Sequence[str],
    gold: str,
    pairs: Mapping[str, Pair] | None,
) -> LearntReliabilities:
    """Reliabilities on every question, of all its judges unless a panel is named."""
    rows = table.where(question=list(questions), turn=None)
    if not jury.names:
        judges = tuple(dict.fromkeys([*judges, *(one for one in rows.judges if one != gold)]))
    if pairs is None:
        items = list(dict.fromkeys([*items, *rows.where(judge=list(judges)).items]))
    named = [one for one in jury.anchors if one != gold]
    trusted = tuple(resolve(one, judges, jury.model) for one in named)
    labels = {}
    if gold in jury.anchors:
        labels = {one: gold_answers(table, one, gold, pairs) for one in questions}
        if not any(labels.values()):
            raise DataError(f"anchor names {gold!r}, and no pair has a label; give items with gold")
    how = Learning(jury.exchangeable, jury.tied, trusted)
    rng = np.random.default_rng(jury.seed)
    return learn(table, questions, judges, items, how=how, labels=labels, rng=rng)


def names_of(jury: Jury, known: Sequence[str]) -> tuple[str, ...]:
    """The full names of who sits, in the order in which they are asked or weighed."""
    given = jury.names or tuple(known)
    names = tuple(resolve(name, known, jury.model) for name in given)
    if len(set(names)) < len(names):
        raise ConfigError(f"one judge is named twice: {', '.join(names)}")
    return names


def _signature(
    table: JudgmentTable,
    jury: Jury,
    judges: Sequence[str],
    question: str,
    gold: str,
    learnt: LearntReliabilities | None,
) -> str:
    own = {name: _signatures(table.where(judge=name)) for name in judges}
    weights = list(jury.weights.values())
    return sign(
        {"jury": VERSION, "cascade": isinstance(jury, Cascade), "weights": weights},
        {"judges": own, "order": list(judges)},
        {"unscored": jury.unscored, "question": question, "gold": gold},
        {"reliability": None if learnt is None else [learnt.fit.signature, jury.seed]},
    )


def _signatures(table: JudgmentTable) -> list[str]:
    """The different signatures of some rows, sorted."""
    codes, known = table.codes("signature")
    return sorted(known[code] for code in np.unique(codes[codes >= 0]).tolist())

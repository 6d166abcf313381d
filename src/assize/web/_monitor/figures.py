"""All that a task's monitor shows, computed once from what was collected."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from assize.acts._agreement import ActsAgreement
from assize.base.conversation import Item
from assize.judgments import JudgmentTable
from assize.web._monitor.acts_check import acts_checks
from assize.web._monitor.agreement import Agreement, Parts, RaterAgreement, agreement, by_rater
from assize.web._monitor.agreement import parts as parts_of
from assize.web._monitor.collected import Answered, Collected, Work, ordinary
from assize.web._monitor.continuation_check import ContinuationCheck, continuation_check
from assize.web._monitor.disagreement import Disputed, disputed
from assize.web._monitor.gold import (
    GoldAnswer,
    GoldShare,
    gold_answers,
    gold_shares,
    qualifying_answers,
)
from assize.web._monitor.offsets import Offset, offsets
from assize.web._monitor.same_answers import SameAnswer, same_answers
from assize.web._monitor.speed import Speed, speeds

_OTHER_PURPOSES = ("gold", "qualify")


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """A task's agreement, raters, gold and checks.

    Args:
        asked: each question's first answers to ordinary items, with their parts in alpha.
        agreement: of these; `apart` of gold items, and of those of the qualification, by
            purpose, where there are any.
        raters: each held to the others over all questions; `by_question` on each.
        gold_by_question, qualified: shares of right answers.
        disputed: by question.
        acts: judges held to each person who checked their acts or maxims.
    """

    asked: Mapping[str, tuple[Answered, Parts]]
    agreement: Sequence[Agreement]
    apart: Mapping[str, Sequence[Agreement]]
    raters: Mapping[str, RaterAgreement]
    by_question: Mapping[str, Mapping[str, RaterAgreement]]
    gold_answers: Sequence[GoldAnswer]
    gold: Sequence[GoldShare]
    gold_by_question: Sequence[GoldShare]
    qualified: Sequence[GoldShare]
    offsets: Sequence[Offset]
    speeds: Sequence[Speed]
    same: Sequence[SameAnswer]
    disputed: Mapping[str, Sequence[Disputed]]
    continuations: ContinuationCheck | None = None
    acts: Mapping[str, ActsAgreement] = field(default_factory=dict)


def figures(
    found: Collected,
    *,
    least: float | None = None,
    within: int = 0,
    items: Mapping[str, Item] | None = None,
    judged: JudgmentTable | None = None,
) -> Figures:
    """All figures of a task; see the modules that make them.

    Args:
        least: share of gold answers that raters should have right.
        within: places off that count as right in the qualification.
        items: by id, for the checks of continuations and of acts.
        judged: a judge's acts or maxims that people checked.
    """
    known: Mapping[str, Item] = items or {}
    questions = [one.id for one in found.table.questions.values() if one.kind != "text"]
    answers = {name: found.answered(name) for name in questions}
    asked = {name: (one, parts_of(one)) for name, one in answers.items()}
    gold = gold_answers(found)
    return Figures(
        asked,
        [agreement(one) for one in answers.values()],
        _apart(found, questions),
        by_rater(list(asked.values()), _raters(answers.values())),
        {name: by_rater([both], both[0].raters) for name, both in asked.items()},
        gold,
        gold_shares(gold, least=least),
        gold_shares(gold, least=least, by_question=True),
        gold_shares(qualifying_answers(found, within)),
        offsets(list(answers.values())),
        speeds(found.work),
        same_answers(list(answers.values())),
        {name: disputed(*both) for name, both in asked.items()},
        continuation_check(answers.values(), known),
        {} if judged is None else acts_checks(_first(found), judged, list(known.values())),
    )


def _raters(answers: Collection[Answered]) -> list[str]:
    return sorted({name for one in answers for name in one.raters})


def _apart(found: Collected, questions: Sequence[str]) -> dict[str, list[Agreement]]:
    """Agreement on gold items, and on those of the qualification, where several answered them."""
    result = {}
    for purpose in _OTHER_PURPOSES:

        def wanted(one: Work, purpose: str = purpose) -> bool:
            return one.purpose == purpose and one.repeat == 0 and one.state == "done"

        if any(wanted(one) for one in found.work):
            result[purpose] = [agreement(found.answered(name, wanted)) for name in questions]
    return result


def _first(found: Collected) -> JudgmentTable:
    return found.table.filter(found.mask(ordinary))

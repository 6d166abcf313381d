"""How often raters are right on items whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assize import stats
from assize.results import Share
from assize.web._monitor.collected import Collected
from assize.web._tasks.marking import answer_in, is_right, known_as, question_of

FEW = 10  # answers below which a share says little


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """One answer to a gold item, held to the right one; "" is none, and wrong."""

    rater: str
    item: str
    question: str
    answer: str
    expected: str
    at: float | None
    right: bool


def gold_answers(found: Collected) -> list[GoldAnswer]:
    """All answers to gold items, right where they are exactly the expected ones.

    A skipped item has none, and what gold says nothing about is left out.
    """
    rows = found.mask(lambda one: one.purpose == "gold")
    answers = []
    for place, row in zip(found.of_row[rows].tolist(), found.table.filter(rows), strict=True):
        expected = found.expected.get(row.item, {}).get(known_as(row.question, row.turn))
        said = answer_in(row)
        if expected is not None and said is not None:
            at = found.work[place].submitted
            right = said == expected
            answers.append(GoldAnswer(row.judge, row.item, row.question, said, expected, at, right))
    return answers


def qualifying_answers(found: Collected, within: int = 0) -> list[GoldAnswer]:
    """What each rater answered in their last attempt at the qualification, right as it is graded.

    What is expected of an item that was skipped, or of a question that was left out, is wrong.

    Args:
        within: the task's `qualification.within`.
    """
    rows = found.mask(lambda one: one.purpose == "qualify")
    given: dict[int, dict[str, str | None]] = {}
    for place, row in zip(found.of_row[rows].tolist(), found.table.filter(rows), strict=True):
        given.setdefault(place, {})[known_as(row.question, row.turn)] = answer_in(row)
    last: dict[str, int] = {}
    for place in given:
        one = found.work[place]
        last[one.rater] = max(one.repeat, last.get(one.rater, 0))
    answers = []
    for place, said in given.items():
        one = found.work[place]
        if one.repeat != last[one.rater]:
            continue
        for name, expected in found.expected.get(one.item, {}).items():
            question, answer = question_of(name, found.table.questions), said.get(name)
            asked = name if question is None else question.id
            right = is_right(question, answer, expected, within)
            answers.append(
                GoldAnswer(one.rater, one.item, asked, answer or "", expected, one.submitted, right)
            )
    return answers


@dataclass(frozen=True, slots=True)
class GoldShare:
    """A rater's share of right answers.

    Args:
        question: None over all questions.
        right: with Wilson's interval, the answers to one item taken together.
        items: gold items that were answered.
        least: the share that the task asks for; None where it asks for none.
    """

    rater: str
    question: str | None
    right: Share
    items: int
    least: float | None = None

    @property
    def below(self) -> bool:
        """Whether the share is lower than the task asks for."""
        return self.least is not None and self.right.estimate < self.least

    @property
    def sure(self) -> bool:
        """Whether the whole interval is."""
        return self.least is not None and self.right.interval[1] < self.least

    @property
    def verdict(self) -> str:
        """What that means, in words; "" where nothing is wrong."""
        if self.least is None or not self.below:
            return "too few answers to tell" if 0 < self.right.n < FEW else ""
        asked, high = f"below {self.least:.0%}", self.right.interval[1]
        if self.sure:
            return f"{asked}, and so is its whole interval"
        if high != high:
            return f"{asked}, on too few items for an interval"
        return f"{asked}, but the interval reaches {high:.0%}"


def gold_shares(
    answers: Sequence[GoldAnswer], *, least: float | None = None, by_question: bool = False
) -> list[GoldShare]:
    """Shares of right answers, those of each rater over all questions, the lowest first.

    Args:
        least: the share that the task asks for.
        by_question: one a rater and question in place of one a rater.
    """
    groups: dict[tuple[str, str | None], list[GoldAnswer]] = {}
    for one in answers:
        groups.setdefault((one.rater, one.question if by_question else None), []).append(one)
    found = []
    for (rater, question), mine in groups.items():
        right = stats.share([one.right for one in mine], clusters=[one.item for one in mine])
        items = len({one.item for one in mine})
        found.append(GoldShare(rater, question, right, items, least))
    return sorted(found, key=lambda one: (one.right.estimate, one.rater, one.question or ""))


def hard_gold(answers: Sequence[GoldAnswer]) -> list[tuple[str, str, str, Share]]:
    """Gold items by how seldom raters are right: item, question, expected answer, share right.

    One that nearly everybody gets wrong says more about the gold answer than about the raters.
    """
    groups: dict[tuple[str, str, str], list[bool]] = {}
    for one in answers:
        groups.setdefault((one.item, one.question, one.expected), []).append(one.right)
    rows = [(*key, stats.share(right)) for key, right in groups.items()]
    return sorted(rows, key=lambda row: (row[3].estimate, -row[3].n, row[0], row[1]))

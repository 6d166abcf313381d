"""A tally of judgments that stream by: what is kept is a number an item and question.

Whole items are kept of the few alone that the page lists, so that a long stream costs little.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from assize.base.arguments import check_word
from assize.base.conversation import Continuation, Conversation, Item
from assize.base.judgment import NOT_APPLICABLE, Judgment, Question
from assize.base.signature import sign
from assize.evaluator import Evaluator
from assize.evaluator._features.views import unread_turns
from assize.evaluator._heads.scored_question import ScoredQuestion
from assize.evaluator._uncertainty import how_many, urgency
from assize.formats.sampling import first_words
from assize.judging.shortening import LEFT_OUT
from assize.judgments import JudgmentTable
from assize.judgments.tally import First, Tally, main_question, question_of
from assize.judgments.values import number_of, scale_ends
from assize.results.abridge import one_line
from assize.results.numbers import name_some
from assize.scoring.summary import (
    AnswerShare,
    FailedJudgment,
    JudgeRows,
    ListedItem,
    LowestItem,
    RatingRequest,
    ScoreSummary,
    SideShares,
)
from assize.stats import wilson
from assize.stats._estimate import nullable
from assize.stats._spread import Spread

Listing = Literal["lowest", "highest", "closest", "decided"]
LOWEST = 10
MOST_FAILURES = 200
MOST_JUDGES = 12
"""Of a question with more, the judges are taken together."""

_EXCERPT = 200


class ScoreCounter:
    """Counts items with their judgments.

    Args:
        questions: what was asked; one that is not given is guessed from its first row.
        main: id of the question that orders the items; when None, `overall`, else `preference`,
            else the first with numbers of those that the first judged item was asked.
        keep: how many items are listed with their text.
        listing: which ones: the lowest or highest, or, for preferences, where the judges were
            closest to a tie or most decided; None lists the lowest scores and the closest
            preferences.
        evaluator: that scores, where one does.
        ask: how many conversations people should rate, as a share or a number; None for none.
    """

    def __init__(
        self,
        questions: Iterable[Question] = (),
        *,
        main: str | None = None,
        keep: int = 200,
        listing: Listing | None = None,
        evaluator: Evaluator | None = None,
        ask: float | None = None,
    ) -> None:
        check_word("first", listing, get_args(Listing))
        self.questions = {question.id: question for question in questions}
        self.evaluator, self.ask = evaluator, ask
        self._main, self._listing = main, listing
        self._tallies: dict[tuple[str, str], Tally] = {}
        self._turns: dict[tuple[str, str], tuple[array[float], array[int]]] = {}
        self._values = array("d")
        self._counts: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._languages: Counter[str] = Counter()
        self._tools: Counter[str] = Counter()
        self._rows: dict[tuple[str, str], Counter[str]] = {}
        self._listed: First[ListedItem] = First(keep)
        self._lowest: First[LowestItem] = First(LOWEST)
        self._failures: list[FailedJudgment] = []
        self._doubted: list[str] = []
        self._doubts = array("d")
        self._dollars = 0.0

    def add(self, item: Item | str, judgments: Iterable[Judgment]) -> None:
        """Count one item with all of its judgments; an id alone where the text is not known."""
        rows = list(judgments)
        self._counts["items"] += 1
        self._counts["duplicates"] += len(rows) - len({row.key for row in rows})
        grouped: dict[tuple[str, str], list[Judgment]] = {}
        for row in rows:
            if row.question not in self.questions:
                self.questions[row.question] = question_of(row)
            self._note(row)
            key = row.judge, row.question
            if row.turn is None:
                grouped.setdefault(key, []).append(row)
            else:
                numbers, owners = self._turns.setdefault(key, (array("d"), array("q")))
                number = number_of(row, self.questions[row.question])
                numbers.append(math.nan if number is None else number)
                owners.append(self._counts["items"])
        if self._main is None:
            self._main = main_question(self.questions[row.question] for row in rows)
        values: list[float] = []
        for key, group in grouped.items():
            value = self._tallies.setdefault(key, Tally(self.questions[key[1]])).add(group)
            if key[1] == self._main and value is not None:
                values.append(value)
        main = [row for row in rows if row.question == self._main]
        if not any(row.turn is None for row in main):  # only its turns were judged
            turns = (number_of(row, self.questions[row.question]) for row in main)
            values = [number for number in turns if number is not None]
        if not isinstance(item, str):
            self._note_item(item)
        details: dict[str, Any] = {}
        for row in reversed(rows):
            details |= (row.details or {}) if row.turn is None else {}
        self._counts["windowed"] += bool(details.get("windows"))
        self._counts["shortened"] += LEFT_OUT in details
        if details.get("language"):
            self._languages[one_line(str(details["language"]), 20)] += 1
        if not values:
            self._note_missing(main or (rows if self.evaluator is not None else []))
            return
        mean = math.fsum(values) / len(values)
        self._values.append(mean)
        rank = self._rank(mean), self._rank(_margin(main))
        self._listed.offer(rank, lambda: ListedItem(item, mean, rows))
        if self.questions[str(self._main)].kind != "preference":
            self._lowest.offer([mean], lambda: _lowest(item, mean, main))
            self._note_doubt(item, mean, details)

    def _note(self, row: Judgment) -> None:
        """What is counted over all rows: signatures, cost, failures."""
        counts = self._rows.setdefault((row.judge, row.signature or ""), Counter())
        counts["judgments"] += 1
        counts["not applicable"] += row.unscored is None and row.answer == NOT_APPLICABLE
        if row.unscored is not None:
            counts["unscored"] += 1
            if len(self._failures) < MOST_FAILURES:
                item = one_line(row.item, 200) + ("" if row.turn is None else f", turn {row.turn}")
                message = one_line(row.unscored.message, 300)
                reason = row.unscored.reason
                self._failures.append(
                    FailedJudgment(item, row.judge, row.question, reason, message)
                )
        if row.usage is not None:
            self._counts["calls"] += 1
            self._counts["tokens"] += row.usage.input_tokens + row.usage.output_tokens
            self._counts["unpriced"] += row.usage.cost_usd is None
            self._dollars += row.usage.cost_usd or 0.0

    def _note_item(self, item: Item) -> None:
        self._kinds[type(item).__name__.lower()] += 1
        unread = Counter() if self.evaluator is None else unread_turns(item)
        if unread:
            self._tools += unread + Counter(items=1)

    def _note_missing(self, main: Sequence[Judgment]) -> None:
        """Why an item has no value; one answered in words, such as a nominal one, has none too."""
        failed = [row.unscored.reason for row in main if row.unscored is not None]
        answered = [
            row.answer or row.distribution
            for row in main
            if row.unscored is None and row.answer != NOT_APPLICABLE
        ]
        if any(answered):
            return
        if failed:
            self._reasons[failed[0]] += 1
        else:
            self._counts["not applicable" if main else "not judged"] += 1

    def _note_doubt(self, item: Item | str, score: float, details: Mapping[str, Any]) -> None:
        """What makes a conversation worth rating: three numbers and its id."""
        doubt = details.get("doubt")
        if self.ask is not None and doubt is not None:
            self._doubted.append(item if isinstance(item, str) else item.id)
            apart = doubt.get("deviation", math.nan), doubt.get("distance", math.nan)
            self._doubts.extend((score, *apart))

    @property
    def listing(self) -> Listing:
        """Which items are listed."""
        if self._listing is not None:
            return self._listing
        main = self.questions.get(self._main or "")
        return "closest" if main is not None and main.kind == "preference" else "lowest"

    def _rank(self, value: float) -> float:
        """What puts items in the order of the listing: the first has the least."""
        size = abs(value) if self.listing in {"closest", "decided"} else value
        return size if self.listing in {"lowest", "closest"} else -size

    def summary(
        self,
        *,
        adapted: Any = None,
        passed_over: int = 0,
        rejects: int = 0,
        inferred: Sequence[str] = (),
    ) -> ScoreSummary:
        """What was counted so far; arguments are those of `ScoreSummary`."""
        tallies = dict(sorted(self._tallies.items(), key=lambda pair: pair[0][1] != self._main))
        tallies = pool_judges(tallies)
        judges = {judge for judge, _ in self._rows}
        names = {key: key[1] if len(judges) == 1 else f"{key[1]}, {key[0]}" for key in tallies}
        encoder = None if self.evaluator is None else self.evaluator.encoder.name
        signatures = sorted(f"{judge}={signature}" for judge, signature in self._rows)
        return ScoreSummary(
            judge=next(iter(judges)) if len(judges) == 1 else None,
            question=self._main,
            items=self._counts["items"],
            unscored=self._reasons.total(),
            not_applicable=self._counts["not applicable"],
            not_judged=self._counts["not judged"],
            judgments=sum(counts["judgments"] for counts in self._rows.values()),
            duplicates=self._counts["duplicates"],
            questions={
                names[key]: Spread.of(
                    [*tally.values, *[math.nan] * tally.items_unscored],
                    scale_ends(tally.question),
                    low=self._low(tally.question),
                )
                for key, tally in tallies.items()
                if tally.question.kind not in {"preference", "nominal", "text"}
            },
            turns={
                question if len(judges) == 1 else f"{question}, {judge}": Spread.of(
                    values,
                    scale_ends(self.questions[question]),
                    clusters=owners,
                    low=self._low(self.questions[question]),
                )
                for (judge, question), (values, owners) in self._turns.items()
            },
            pairs={
                names[key]: _sides(tally)
                for key, tally in tallies.items()
                if tally.question.kind == "preference"
            },
            answers=[
                row
                for key, tally in tallies.items()
                if tally.question.kind == "nominal"
                for row in _answers(names[key], tally)
            ],
            lowest=self._lowest.values,
            ask=self._to_rate(),
            failures=self._failures,
            judges=[
                JudgeRows(*key, counts["judgments"], counts["unscored"], counts["not applicable"])
                for key, counts in self._rows.items()
            ],
            kinds=dict(self._kinds),
            reasons=dict(self._reasons),
            languages=dict(self._languages),
            tool_turns=dict(self._tools) or None,
            windowed=self._counts["windowed"],
            shortened=self._counts["shortened"],
            adapted=adapted,
            passed_over=passed_over,
            rejects=rejects,
            signature=sign("report", 2, self._main, signatures)
            if self.evaluator is None
            else self.evaluator.signature,
            spent=self._spent(),
            encoder=encoder,
            inferred=inferred,
            main=self.questions.get(self._main or ""),
            meaning=[] if self.evaluator is None else describe_scores(self.evaluator),
            tallies=tallies,
            values=self._values,
            listed=self._listed.values,
            listing=self.listing,
        )

    def _low(self, question: Question) -> float | None:
        """The score at or below which an item is poor."""
        scored = None if self.evaluator is None else self.evaluator.scored.get(question.id)
        return (levels_of(question) or (None,))[0] if scored is None else scored.poor

    def _spent(self) -> str | None:
        """What the calls cost, in words; None where there was none."""
        calls, unpriced = self._counts["calls"], self._counts["unpriced"]
        if not calls:
            return None
        price = f"${self._dollars:,.4f}" if calls > unpriced else "an unknown price"
        more = f", {unpriced:,} of unknown price" if 0 < unpriced < calls else ""
        return f"{calls:,} calls{more}, {self._counts['tokens']:,} tokens, {price}"

    def _to_rate(self) -> list[RatingRequest]:
        """The conversations that people should rate, most urgent first."""
        if self.ask is None or self.evaluator is None or not self._doubted:
            return []
        scores, deviation, distance = np.array(self._doubts).reshape(-1, 3).T
        levels = (self.evaluator.main.low, self.evaluator.main.high)
        near = np.min([np.abs(scores - level) for level in levels], axis=0)
        first = urgency(deviation, distance, near)
        order = np.argsort(-first, kind="stable")[: how_many(self.ask, len(first))]
        return [
            RatingRequest(
                self._doubted[index],
                float(first[index]),
                float(scores[index]),
                nullable(deviation[index]),
                nullable(distance[index]),
            )
            for index in order
        ]


def describe_scores(evaluator: Evaluator) -> list[str]:
    """Return what an evaluator's scores mean, a line for the questions of each scale."""
    scales: dict[str, list[ScoredQuestion]] = {}
    for scored in evaluator.scored.values():
        if not scored.pairs_only:
            scales.setdefault(scored.meaning, []).append(scored)
    lines = []
    for meaning, group in scales.items():
        names = ", ".join(scored.question.id for scored in group)
        corpora = dict.fromkeys(corpus for scored in group for corpus in scored.trained_on)
        head = f"{names}: " if len(scales) > 1 else ""
        lines.append(f"{head}{meaning} Training data: {name_some([*corpora], 3)}.")
    return lines


def summarise_judgments(
    table: JudgmentTable,
    items: Iterable[Item] = (),
    *,
    main: str | None = None,
    keep: int = 200,
    listing: Listing | None = None,
) -> ScoreSummary:
    """Return what a table of judgments amounts to; see `ScoreCounter` for the options.

    Args:
        items: conversations, pairs or continuations, read once. An item without judgments is
            counted as not judged; judgments of an item that is not here are counted, and listed
            without text. Of items that share an id the first has the judgments.
    """
    if main is None:
        main = main_question(table.questions[name] for name in table.asked)
    counter = ScoreCounter(table.questions.values(), main=main, keep=keep, listing=listing)
    waiting: dict[str, list[Judgment]] = {}
    for row in table:
        waiting.setdefault(row.item, []).append(row)
    for item in items:
        counter.add(item, waiting.pop(item.id, ()))
    for name, rows in waiting.items():
        counter.add(name, rows)
    kinds = {"ordinal", "nominal"}
    guessed = [name for name in table.inferred if table.questions[name].kind in kinds]
    return counter.summary(inferred=sorted(guessed))


def pool_judges(tallies: Mapping[tuple[str, str], Tally]) -> dict[tuple[str, str], Tally]:
    """Return the tallies, those of a question with more than `MOST_JUDGES` judges as one."""
    by_question: dict[str, dict[tuple[str, str], Tally]] = {}
    for key, tally in tallies.items():
        by_question.setdefault(key[1], {})[key] = tally
    pooled: dict[tuple[str, str], Tally] = {}
    for question, group in by_question.items():
        if len(group) > MOST_JUDGES:
            group = {(f"all {len(group):,} judges", question): Tally.pooled([*group.values()])}
        pooled |= group
    return pooled


def levels_of(question: Question) -> tuple[float, float] | None:
    """Return the question's own field `levels`, [low, high]; None where it has none that fits."""
    levels = question.extra.get("levels")
    if not isinstance(levels, list | tuple) or len(levels) != 2:
        return None
    if not all(isinstance(end, int | float) for end in levels) or not levels[0] < levels[1]:
        return None
    return float(levels[0]), float(levels[1])


def _sides(tally: Tally) -> SideShares:
    a, tie, b = (wilson(tally.preferences[side], tally.items) for side in ("A", "tie", "B"))
    return SideShares(a, tie, b, tally.items, tally.items_unscored)


def _answers(name: str, tally: Tally) -> Iterable[AnswerShare]:
    total = round(sum(tally.answers.values()) + tally.further)
    for answer, count in sorted(tally.answers.items(), key=lambda pair: -pair[1]):
        label = tally.question.labels.get(answer, answer)
        yield AnswerShare(name, label, wilson(round(count), total))


def _margin(rows: Sequence[Judgment]) -> float:
    """How far apart the sides are where judges say it in `details`, to order like answers."""
    margins = [(row.details or {}).get("margin") for row in rows]
    known = [float(margin) for margin in margins if isinstance(margin, int | float)]
    return math.fsum(known) / len(known) if known else 0.0


def _lowest(item: Item | str, value: float, main: Sequence[Judgment]) -> LowestItem:
    """The item with its first words, and the turns that pull its score down most, by how much."""
    if isinstance(item, str):
        return LowestItem(value, item, None, None, "")
    begins = first_words(item, _EXCERPT)
    explained = (main[0].details or {}).get("explanation")
    if explained and isinstance(item, Conversation) and explained["exchanges"]:
        worst = min(explained["exchanges"], key=lambda exchange: exchange["effect"])
        numbers = worst["turns"]
        turns = [item.turns[number] for number in numbers]
        own = [turn for turn in turns if turn.role == "assistant"] or turns
        name = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        text = one_line(own[-1].text, _EXCERPT)
        return LowestItem(value, item.id, name, worst["effect"], begins, text)
    candidate = one_line(item.candidate, _EXCERPT) if isinstance(item, Continuation) else None
    return LowestItem(value, item.id, None, None, begins, candidate)

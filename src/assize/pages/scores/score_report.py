"""The page for judgments: headline numbers, distributions, the items to look at first.

`ScoreReport` takes items one at a time and keeps only numbers and the texts of the few
items it will list, so that 100,000 conversations cost little memory.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from assize.base.conversation import Item
from assize.base.judgment import NOT_APPLICABLE, Judgment, Question
from assize.base.signature import content_hash
from assize.formats.files import Location
from assize.judging.shortening import LEFT_OUT
from assize.judgments import JudgmentTable
from assize.judgments.tally import First, Tally, main_question, question_of
from assize.judgments.values import number_of
from assize.pages.drawing import require
from assize.pages.excerpt import Excerpt, Opinion, excerpt
from assize.pages.result_page import write_result
from assize.pages.scores.groups import Failures, Group, Levels, levels_of, scale_of
from assize.pages.scores.summary import ScoreSummary
from assize.results.abridge import abridge
from assize.results.numbers import digits_for, number
from assize.stats._spread import Spread

Listing = Literal["lowest", "highest", "closest", "decided"]

VERSION = 1
LONGEST_EXPLANATION = 1_500
MOST_OPINIONS = 80
SHORTENED, WINDOWED = "judged without the oldest turns", "turns read in pieces"


class ScoreReport:
    """Gathers judgments item by item and writes them as one page.

    Args:
        questions: what was asked; one that is not given is guessed from its first row.
        main: id of the question that heads the page and orders the items; when None,
            `overall`, else `preference`, else the first with numbers of those that the
            first judged item was asked.
        keep: how many items are listed with their text.
        listing: which ones: the lowest or highest, or, for preferences, where the judges
            were closest to a tie or most decided; None lists the lowest scores and the
            closest preferences.

    Raises:
        MissingExtra: charts cannot be drawn; said before a long run and not after it.
    """

    def __init__(
        self,
        questions: Iterable[Question] = (),
        *,
        main: str | None = None,
        keep: int = 200,
        listing: Listing | None = None,
    ) -> None:
        require()
        self._questions = {question.id: question for question in questions}
        self._main = main
        self._listing = listing
        self._tallies: dict[tuple[str, str, str], Tally] = {}  # by judge, question, item or turn
        self._overall = array("d")
        self._nouns: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._listed: First[Excerpt] = First(keep)
        self._failures = Failures()
        self._made_by: Counter[tuple[str, str]] = Counter()
        self._dollars = 0.0
        self._languages: Counter[str] = Counter()

    def add(self, item: Item | str, judgments: Iterable[Judgment]) -> None:
        """Counts one item with all of its judgments; an id alone where the text is not known."""
        rows = list(judgments)
        self._counts["items"] += 1
        if not isinstance(item, str):
            self._nouns[f"{type(item).__name__.lower()}s"] += 1
        self._counts["duplicates"] += len(rows) - len({row.key for row in rows})
        grouped: dict[tuple[str, str, str], list[Judgment]] = {}
        for row in rows:
            self._note(row)
            per = "item" if row.turn is None else "turn"
            grouped.setdefault((row.judge, row.question, per), []).append(row)
        flags = _flags(rows)
        self._counts.update(name for name in (WINDOWED, SHORTENED) if name in flags)
        self._languages.update(flags[name] for name in ("language",) if name in flags)
        if self._main is None:
            self._main = main_question(self._questions[row.question] for row in rows)
        values: dict[str, list[float | None]] = {"item": [], "turn": []}
        for key, group in grouped.items():
            tally = self._tallies.setdefault(key, Tally(self._questions[key[1]]))
            value = tally.add(group)
            if key[1] == self._main:
                values[key[2]].append(value)
        # the mean over judges of the item's values; of its turns' where only they were judged
        known = [value for value in values["item"] or values["turn"] if value is not None]
        if known:
            mean = math.fsum(known) / len(known)
            self._overall.append(mean)
            rank = _rank(mean, self.listing), _rank(self._margin(rows), self.listing)
            self._listed.offer(rank, lambda: self._excerpt(item, mean, rows, flags))
        else:
            self._counts[_why_missing(row for row in rows if row.question == self._main)] += 1

    def _note(self, row: Judgment) -> None:
        """What is counted over all rows: unknown questions, signatures, cost, failures."""
        if row.question not in self._questions:
            self._questions[row.question] = question_of(row)
        self._made_by[row.judge, "" if row.signature is None else row.signature] += 1
        self._failures.add(row)
        if row.usage is not None:
            self._counts["calls"] += 1
            self._counts["tokens"] += row.usage.input_tokens + row.usage.output_tokens
            self._counts["unpriced"] += row.usage.cost_usd is None
            self._dollars += 0.0 if row.usage.cost_usd is None else row.usage.cost_usd

    def _excerpt(
        self, item: Item | str, value: float, rows: Sequence[Judgment], flags: Mapping[str, str]
    ) -> Excerpt:
        opinions = [self._opinion(row) for row in rows if row.turn is None]
        opinions.sort(key=lambda opinion: opinion.question != self._main)
        if left := opinions[MOST_OPINIONS:]:
            flags = {**flags, "judgments not shown": f"{len(left):,}"}
        turn_rows = [row for row in rows if row.turn is not None]
        return excerpt(item, value, opinions[:MOST_OPINIONS], turn_rows, flags=flags)

    def _margin(self, rows: Sequence[Judgment]) -> float:
        """How far apart the sides are where judges say it in `details`, to order like answers."""
        found = [
            float(margin)
            for row in rows
            if row.question == self._main and row.details is not None
            if isinstance(margin := row.details.get("margin"), int | float)
        ]
        return math.fsum(found) / len(found) if found else 0.0

    @property
    def listing(self) -> Listing:
        """Which items are listed."""
        if self._listing is not None:
            return self._listing
        main = self._questions.get(self._main or "")
        return "closest" if main is not None and main.kind == "preference" else "lowest"

    def _opinion(self, row: Judgment) -> Opinion:
        question = self._questions[row.question]
        value = number_of(row, question)
        if row.unscored is not None:
            answer = f"unscored: {row.unscored.reason}"
        elif row.answer is None and value is not None:
            answer = number(value, digits_for(scale_of(question) or (value,)))
        else:
            shares = row.distribution or {}
            likeliest = max(shares, key=shares.__getitem__, default="–")
            words = likeliest if row.answer is None else row.answer
            answer = "–" if words == NOT_APPLICABLE else question.labels.get(words, words)
        said = abridge("" if row.explanation is None else row.explanation, LONGEST_EXPLANATION)
        return Opinion(row.judge, row.question, row.order, abridge(answer, 200).head, said)

    @property
    def listed(self) -> tuple[Excerpt, ...]:
        """The items kept with their text, in the order of the page."""
        return tuple(self._listed.values)

    def summary(self, notes: Sequence[str] = ()) -> ScoreSummary:
        """The numbers of all items added so far.

        Args:
            notes: what a reader must know first.
        """
        groups = [Group.of(judge, per, tally) for (judge, _, per), tally in self._tallies.items()]
        groups.sort(key=lambda group: (group.question != self._main, group.per == "turn"))
        main, counts = self._questions.get(self._main or ""), self._counts
        levels = None if main is None else levels_of(main)
        noun = next(iter(self._nouns)) if len(self._nouns) == 1 else "items"
        return ScoreSummary(
            question=self._main,
            items=counts["items"],
            scored=len(self._overall) + counts["in words"],
            unscored=counts["unscored"],
            not_applicable=counts["not applicable"],
            not_judged=counts["not judged"],
            judgments=self._made_by.total(),
            duplicates=counts["duplicates"],
            overall=Spread.of(self._overall, None if main is None else scale_of(main)),
            levels=None if levels is None else Levels.of(*levels, self._overall),
            languages=dict(self._languages),
            windowed=counts[WINDOWED],
            shortened=counts[SHORTENED],
            groups=groups,
            reasons=dict(self._failures.reasons),
            signature=self._signature(),
            noun=noun,
            texts=self._nouns.total(),
            values=self._overall,
            failures=self._failures,
            made_by=dict(self._made_by),
            spent=self._spent(),
            listed=self.listed,
            listing=self.listing,
            notes=[*notes, *self._flagged(noun)],
        )

    def _spent(self) -> str:
        """What the calls cost, in words; "" where there was none."""
        calls, unpriced = self._counts["calls"], self._counts["unpriced"]
        if not calls:
            return ""
        price = f"${self._dollars:,.4f}" if calls > unpriced else "an unknown price"
        more = f", {unpriced:,} of unknown price" if 0 < unpriced < calls else ""
        return f"{calls:,} calls{more}, {self._counts['tokens']:,} tokens, {price}."

    def _flagged(self, noun: str) -> Sequence[str]:
        """Notes on items for which a judge itself said that care is needed."""
        notes = []
        if total := self._languages.total():
            each = ", ".join(f"{name} {count:,}" for name, count in self._languages.items())
            of = f"{total:,} of the {noun} {'is' if total == 1 else 'are'}"
            notes.append(f"{of} in a language that the judge flags as not its own ({each}).")
        if windowed := self._counts[WINDOWED]:
            notes.append(
                f"{windowed:,} of the {noun} hold turns longer than the judge's window; they were"
                " read in several pieces."
            )
        if shortened := self._counts[SHORTENED]:
            notes.append(
                f"{shortened:,} of the {noun} were too long for a judge, which read them without"
                " their oldest turns."
            )
        return notes

    def _signature(self) -> str:
        made = sorted(f"{judge}={signature}" for judge, signature in self._made_by)
        words = "\n".join([f"report|v{VERSION}", f"main={self._main}", *made])
        return content_hash(words.encode("utf-8", "replace"), digits=12)

    def write(
        self,
        path: Location,
        *,
        title: str = "Scores",
        notes: Sequence[str] = (),
        reproduce: Sequence[str] = (),
    ) -> ScoreSummary:
        """Writes the page and returns its numbers.

        Args:
            notes: what a reader must know first, shown on top.
            reproduce: command lines that lead to this page.

        Raises:
            OutputError: the page cannot be written; an earlier one is unchanged.
        """
        summary = self.summary(notes)
        write_result(path, summary, title=title, reproduce=reproduce)
        return summary


def _rank(value: float, listing: Listing) -> float:
    """What puts items in the order of a listing: the first has the least."""
    size = abs(value) if listing in {"closest", "decided"} else value
    return size if listing in {"lowest", "closest"} else -size


def _why_missing(main: Iterable[Judgment]) -> str:
    """Why an item has no value, from its rows on the main question.

    `in words` where there is an answer without a number, such as a nominal one.
    """
    rows = list(main)
    for row in rows:
        answered = row.answer is not None or bool(row.distribution)
        if answered and row.unscored is None and row.answer != NOT_APPLICABLE:
            return "in words"
    if any(row.unscored is not None for row in rows):
        return "unscored"
    return "not applicable" if rows else "not judged"


def _flags(rows: Sequence[Judgment]) -> dict[str, str]:
    """What judges say in `details` of the whole item: its language, turns read in pieces."""
    about = [row.details for row in rows if row.turn is None and row.details is not None]
    flags: dict[str, str] = {}
    for details in about:
        if details.get("language"):
            flags.setdefault("language", abridge(str(details["language"]), 20).head)
        if isinstance(windows := details.get("windows"), Mapping) and windows:
            flags.setdefault(WINDOWED, ", ".join(map(str, list(windows)[:10])))
    if shortened := sum(LEFT_OUT in details for details in about):
        flags[SHORTENED] = f"{shortened:,} of {len(rows):,} judgments"
    return flags


def write_report(
    path: Location,
    table: JudgmentTable,
    items: Iterable[Item] = (),
    *,
    title: str = "Scores",
    notes: Sequence[str] = (),
    reproduce: Sequence[str] = (),
    main: str | None = None,
    keep: int = 200,
    listing: Listing | None = None,
) -> ScoreSummary:
    """Writes the page for a table of judgments; see `ScoreReport` for the options.

    Args:
        items: conversations, pairs or continuations, read once. An item without judgments
            is counted as not judged; judgments of an item that is not here are counted,
            and listed without text. Of items that share an id the first has the judgments.

    Returns:
        The numbers that stand on the page.
    """
    if main is None:
        main = main_question(table.questions[name] for name in table.asked)
    report = ScoreReport(table.questions.values(), main=main, keep=keep, listing=listing)
    waiting: dict[str, list[Judgment]] = {}
    for row in table:
        waiting.setdefault(row.item, []).append(row)
    for item in items:
        report.add(item, waiting.pop(item.id, ()))
    for name, rows in waiting.items():
        report.add(name, rows)
    guessed = sorted(
        name for name in table.inferred if table.questions[name].kind in {"ordinal", "nominal"}
    )
    inferred = [
        f"No scale was given for {name}: it was inferred from the answers seen."
        for name in filter(None, [", ".join(guessed)])
    ]
    return report.write(path, title=title, notes=[*notes, *inferred], reproduce=reproduce)

"""The page for judgments: headline numbers, distributions, the items to look at first.

`ScoreReport` takes items one at a time and keeps only numbers and the texts of the few
items it will list, so that 100,000 conversations cost little memory.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from assize.conversation import Item
from assize.formats.files import Location
from assize.judging.shortening import LEFT_OUT
from assize.judgment import NOT_APPLICABLE, Judgment, Question
from assize.judgments import JudgmentTable
from assize.judgments.values import choice_of, number_of
from assize.pages import page
from assize.pages.drawing import require
from assize.pages.excerpt import Excerpt, Opinion, excerpt
from assize.pages.sections import flagged, sections
from assize.pages.summary import (
    Group,
    Key,
    Levels,
    Spent,
    Spread,
    Summary,
    UnscoredRow,
    levels_of,
    scale_of,
)
from assize.pages.tally import Tally, main_question, question_of
from assize.results.abridge import abridge
from assize.results.numbers import digits_for, number
from assize.signature import content_hash

Listing = Literal["lowest", "highest", "closest", "decided"]

VERSION = 1
UNSCORED_SHOWN = 200
LONGEST_EXPLANATION = 1_500
MOST_OPINIONS = 80


def _rank(value: float, listing: Listing) -> float:
    """What puts items in the order of a listing: the first has the least."""
    size = abs(value) if listing in {"closest", "decided"} else value
    return size if listing in {"lowest", "closest"} else -size


def _flags(rows: Sequence[Judgment]) -> dict[str, str]:
    """What judges say in `details` of the whole item: its language, turns read in pieces."""
    about = [row.details for row in rows if row.turn is None and row.details is not None]
    flags: dict[str, str] = {}
    for one in about:
        if one.get("language"):
            flags.setdefault("language", abridge(str(one["language"]), 20).head)
        if isinstance(windows := one.get("windows"), Mapping) and windows:
            flags.setdefault("turns read in pieces", ", ".join(map(str, list(windows)[:10])))
    if shortened := sum(LEFT_OUT in details for details in about):
        flags["judged without the oldest turns"] = f"{shortened:,} of {len(rows):,} judgments"
    return flags


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
        levels: what counts as low (at most the first) and as high (at least the second) on
            the main question; when None, what the question's own field `levels` says.

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
        levels: tuple[float, float] | None = None,
    ) -> None:
        require()
        self._questions = {question.id: question for question in questions}
        self._main = main
        self._keep = keep
        self._listing = listing
        self._levels = levels
        self._tallies: dict[Key, Tally] = {}
        self._overall = array("d")
        self._items = self._texts = self._duplicates = self._in_words = 0
        self._nouns: set[str] = set()
        self._missing = {"unscored": 0, "not_applicable": 0, "not_judged": 0}
        self._listed: list[tuple[float, float, int, Excerpt]] = []
        self._reasons: dict[str, int] = {}
        self._failures: list[UnscoredRow] = []
        self._made_by: dict[tuple[str, str], int] = {}
        self._spent = Spent()
        self._languages: dict[str, int] = {}
        self._windowed = self._shortened = 0

    def add(self, item: Item | str, judgments: Iterable[Judgment]) -> None:
        """Counts one item with all of its judgments; an id alone where the text is not known."""
        rows = list(judgments)
        self._items += 1
        if not isinstance(item, str):
            self._texts += 1
            self._nouns.add(f"{type(item).__name__.lower()}s")
        self._duplicates += len(rows) - len({row.key for row in rows})
        grouped: dict[Key, list[Judgment]] = {}
        for row in rows:
            self._note(row)
            grouped.setdefault(Key(row.judge, row.question, row.turn is not None), []).append(row)
        self._flag(rows)
        if self._main is None:
            self._main = main_question(self._questions[row.question] for row in rows)
        values = {key: self._tally(key).add(group) for key, group in grouped.items()}
        value = self._main_value(values)
        if value is not None:
            self._overall.append(value)
            self._list(item, value, rows)
        elif any(row.question == self._main and self._is_answered(row) for row in rows):
            self._in_words += 1
        else:
            self._missing[self._why_missing(rows)] += 1

    def _note(self, row: Judgment) -> None:
        """What is counted over all rows: unknown questions, signatures, cost, failures."""
        if row.question not in self._questions:
            self._questions[row.question] = question_of(row)
        made = (row.judge, "" if row.signature is None else row.signature)
        self._made_by[made] = self._made_by.get(made, 0) + 1
        if row.usage is not None:
            self._spent.calls += 1
            self._spent.tokens += row.usage.input_tokens + row.usage.output_tokens
            self._spent.unpriced += row.usage.cost_usd is None
            self._spent.dollars += 0.0 if row.usage.cost_usd is None else row.usage.cost_usd
        if row.unscored is not None:
            reason = row.unscored.reason
            self._reasons[reason] = self._reasons.get(reason, 0) + 1
            if len(self._failures) < UNSCORED_SHOWN:
                self._failures.append(UnscoredRow.of(row, row.unscored))

    def _flag(self, rows: Sequence[Judgment]) -> None:
        flags = _flags(rows)
        if "language" in flags:
            spoken = flags["language"]
            self._languages[spoken] = self._languages.get(spoken, 0) + 1
        self._windowed += "turns read in pieces" in flags
        self._shortened += "judged without the oldest turns" in flags

    def _tally(self, key: Key) -> Tally:
        if key not in self._tallies:
            self._tallies[key] = Tally(self._questions[key.question])
        return self._tallies[key]

    def _main_value(self, values: Mapping[Key, float | None]) -> float | None:
        """The mean over judges of the item's values; of its turns' where only they were judged."""
        main = {key: value for key, value in values.items() if key.question == self._main}
        per_turn = all(key.per_turn for key in main)
        found = [value for key, value in main.items() if key.per_turn is per_turn]
        known = [value for value in found if value is not None]
        return math.fsum(known) / len(known) if known else None

    def _is_answered(self, row: Judgment) -> bool:
        """Whether there is an answer, be it one without a number, such as a nominal one."""
        said = row.answer is not None or bool(row.distribution)
        return said and row.unscored is None and row.answer != NOT_APPLICABLE

    def _why_missing(self, rows: Sequence[Judgment]) -> str:
        main = [row for row in rows if row.question == self._main]
        if not main:
            return "not_judged"
        return "unscored" if any(row.unscored is not None for row in main) else "not_applicable"

    def _list(self, item: Item | str, value: float, rows: Sequence[Judgment]) -> None:
        """Keeps the item if it is among the first of the listing; of two alike the earlier."""
        first = _rank(value, self.listing), _rank(self._margin(rows), self.listing)
        rank = (-first[0], -first[1], -self._items)
        full = len(self._listed) >= self._keep
        if self._keep == 0 or (full and rank <= self._listed[0][:3]):
            return
        opinions = [self._opinion(row) for row in rows if row.turn is None]
        opinions.sort(key=lambda opinion: opinion.question != self._main)
        flags = _flags(rows)
        if len(opinions) > MOST_OPINIONS:
            flags["judgments not shown"] = f"{len(opinions) - MOST_OPINIONS:,}"
        turn_rows = [row for row in rows if row.turn is not None]
        shown = excerpt(item, value, opinions[:MOST_OPINIONS], turn_rows, flags=flags)
        entry = (*rank, shown)
        if full:
            heapq.heapreplace(self._listed, entry)
        else:
            heapq.heappush(self._listed, entry)

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
        main = None if self._main is None else self._questions.get(self._main)
        return "closest" if main is not None and main.kind == "preference" else "lowest"

    def _opinion(self, row: Judgment) -> Opinion:
        question = self._questions[row.question]
        value, words = number_of(row, question), choice_of(row, question)
        if row.unscored is not None:
            answer = f"unscored: {row.unscored.reason}"
        elif row.answer is None and value is not None:
            answer = number(value, digits_for(scale_of(question) or (value,)))
        else:
            answer = "–" if words is None else question.labels.get(words, words)
        said = abridge("" if row.explanation is None else row.explanation, LONGEST_EXPLANATION)
        return Opinion(row.judge, row.question, row.order, abridge(answer, 200).head, said)

    @property
    def listed(self) -> tuple[Excerpt, ...]:
        """The items kept with their text, in the order of the page."""
        return tuple(entry[3] for entry in sorted(self._listed, key=lambda one: one[:3])[::-1])

    def summary(self) -> Summary:
        """The numbers of all items added so far."""
        groups = [Group.of(key, tally) for key, tally in self._tallies.items()]
        main = None if self._main is None else self._questions.get(self._main)
        groups.sort(key=lambda group: (group.key.question != self._main, group.key.per_turn))
        return Summary(
            main=self._main,
            noun=self._nouns.copy().pop() if len(self._nouns) == 1 else "items",
            items=self._items,
            scored=len(self._overall) + self._in_words,
            **self._missing,
            texts=self._texts,
            duplicates=self._duplicates,
            overall=Spread.of(self._overall, None if main is None else scale_of(main)),
            levels=self._counted_levels(),
            languages=dict(self._languages),
            windowed=self._windowed,
            shortened=self._shortened,
            groups=tuple(groups),
            reasons=dict(self._reasons),
            failures=tuple(self._failures),
            made_by=dict(self._made_by),
            spent=self._spent,
            signature=self._signature(),
        )

    def _counted_levels(self) -> Levels | None:
        question = None if self._main is None else self._questions.get(self._main)
        found = self._levels
        if found is None and question is not None:
            found = levels_of(question)
        return None if found is None else Levels.of(*found, self._overall)

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
    ) -> Summary:
        """Writes the page and returns its numbers.

        Args:
            notes: what a reader must know first, shown on top.
            reproduce: command lines that lead to this page.

        Raises:
            OutputError: the page cannot be written; an earlier one is unchanged.
        """
        summary = self.summary()
        body = sections(summary, self._overall, self.listed, self.listing)
        page.write_page(
            path,
            title,
            body,
            signature=summary.signature,
            notes=[*notes, *flagged(summary)],
            reproduce=reproduce,
        )
        return summary


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
    levels: tuple[float, float] | None = None,
) -> Summary:
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
    report = ScoreReport(
        table.questions.values(), main=main, keep=keep, listing=listing, levels=levels
    )
    waiting: dict[str, list[Judgment]] = {}
    for row in table:
        waiting.setdefault(row.item, []).append(row)
    for item in items:
        report.add(item, waiting.pop(item.id, ()))
    for name, rows in waiting.items():
        report.add(name, rows)
    said = list(notes)
    guessed = sorted(
        name for name in table.inferred if table.questions[name].kind in {"ordinal", "nominal"}
    )
    if guessed:
        names = ", ".join(guessed)
        said.append(f"No scale was given for {names}: it was inferred from the answers seen.")
    return report.write(path, title=title, notes=said, reproduce=reproduce)

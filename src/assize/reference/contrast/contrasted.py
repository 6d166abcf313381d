"""What two sources come to where people's scores of them differ: figure 5 of UPHELD in shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.reference.contrast.themes import OTHER, SAME, is_same, named_themes
from assize.reference.sheets.workbook import Entry, Key
from assize.results import Result, ResultTable, columns
from assize.signature import sign
from assize.stats import Estimate, Test, alpha, difference, share, sign_flip
from assize.stats.estimate import missing

HUMAN = "human"
_PERMUTATIONS = 10_000
_MOST = 12  # themes that are told apart; the rest is `other`


@dataclass(frozen=True, slots=True)
class Label:
    """What one person said of one row.

    Args:
        human: 1 for human, 0 for template, NaN for no answer.
        themes: of the difference; None where nothing was written.
    """

    entry: Entry
    rater: str
    human: float
    themes: tuple[str, ...] | None

    @property
    def where(self) -> str:
        """The turn."""
        return f"{self.entry.conversation} {self.entry.turn}"


@dataclass(frozen=True)
class Contrast(Result):
    """How two sources sound, and in what they differ from the reference.

    Args:
        key: the rows, and how they were chosen.
        labels: by people.
        judgments: the same as a table.
        themed: where the themes come from, in words.
        seed: of the test.
    """

    key: Key
    labels: tuple[Label, ...]
    judgments: JudgmentTable
    themed: str
    seed: int = 0

    @property
    def sources(self) -> tuple[str, str]:
        """Whose continuations were compared."""
        first, second = self.key.about["sources"]
        return first, second

    def of(self, source: str) -> list[Label]:
        """The labels of one source's rows."""
        return [one for one in self.labels if one.entry.source == source]

    def phrasing(self, source: str) -> Estimate:
        """The share of labels that say human; those of one conversation belong together."""
        ours = self.of(source)
        conversations = [one.entry.conversation for one in ours]
        return share([one.human for one in ours], clusters=conversations)

    @cached_property
    def _by_turn(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], list[str]]:
        """(T,) the share of human of each source at each turn, NaN for none; and conversations."""
        turns = list(dict.fromkeys(one.where for one in self.labels))
        each = []
        for source in self.sources:
            said: dict[str, list[float]] = {}
            for one in self.of(source):
                if one.human == one.human:
                    said.setdefault(one.where, []).append(one.human)
            each.append(np.array([np.mean(said[t]) if t in said else np.nan for t in turns]))
        named = {one.where: one.entry.conversation for one in self.labels}
        return each[0], each[1], [named[turn] for turn in turns]

    @cached_property
    def gap(self) -> Estimate:
        """The first source's share of human less the second's, over turns, by conversation."""
        first, second, conversations = self._by_turn
        if not len(first):
            return missing("mean", 1, "no labels")
        return difference(first, second, paired=True, clusters=conversations)

    @cached_property
    def test(self) -> Test:
        """Whether they differ: signs of the turns' differences flipped, by conversation."""
        first, second, conversations = self._by_turn
        rng = np.random.default_rng(self.seed)
        return sign_flip(
            first - second, clusters=conversations, permutations=_PERMUTATIONS, rng=rng
        )

    @cached_property
    def agreement(self) -> Estimate | None:
        """Krippendorff's alpha of the phrasing between raters; None where there is only one."""
        raters = list(dict.fromkeys(one.rater for one in self.labels))
        if len(raters) < 2:
            return None
        rows = {one.row: at for at, one in enumerate(self.key.entries)}
        grid = np.full((len(raters), len(rows)), np.nan)
        for one in self.labels:
            grid[raters.index(one.rater), rows[one.entry.row]] = one.human
        return alpha(grid)

    @cached_property
    def themes(self) -> tuple[str, ...]:
        """The themes, most frequent first; `other` and `same` last."""
        counted = Counter(theme for one in self.labels for theme in one.themes or ())
        named = [one for one, _ in counted.most_common() if one not in (SAME, OTHER)]
        more = [OTHER] if OTHER in counted or len(named) > _MOST else []
        return (*named[:_MOST], *more, *([SAME] if SAME in counted else []))

    def theme(self, source: str, theme: str) -> Estimate:
        """The share of a source's labels that name a theme; those of one turn belong together."""
        ours, known = self.of(source), set(self.themes)
        named = [
            None if one.themes is None else {own if own in known else OTHER for own in one.themes}
            for one in ours
        ]
        values = [float("nan") if own is None else float(theme in own) for own in named]
        return share(values, clusters=[one.entry.conversation for one in ours])

    @property
    def signature(self) -> str:
        """Of the choice of turns, the labels and the themes."""
        said = [[one.entry.row, one.rater, str(one.human), one.themes] for one in self.labels]
        return sign(dict(self.key.about), said, self.themed)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`phrasing`: a row a source, and the difference; `themes`: a row a theme."""
        found = {"phrasing": self._phrasing()}
        if self.themes:
            found["themes"] = self._themes()
        return found

    def _phrasing(self) -> ResultTable:
        named = columns("words", "source") + columns("percent", "sounds human", digits=1)
        named += columns("count", "labels", "unscored", "turns") + columns("p", "p")
        rows: list[Any] = [
            (source, found, found.n, found.unscored, len({one.where for one in scored}), None)
            for source in self.sources
            for found in [self.phrasing(source)]
            for scored in [[one for one in self.of(source) if one.human == one.human]]
        ]
        gap = self.gap
        rows.append(("difference", gap, None, None, gap.n, self.test.p_value))
        return ResultTable("How the continuations sound", named, rows)

    def _themes(self) -> ResultTable:
        named = columns("words", "difference from the reference")
        named += columns("percent", *self.sources, digits=1)
        rows = [(one, *(self.theme(source, one) for source in self.sources)) for one in self.themes]
        return ResultTable(
            f"In what they differ, in percent of labels ({self.themed})", named, rows
        )

    @property
    def lines(self) -> Sequence[str]:
        """How the turns were chosen, and what makes the figures comparable."""
        about = self.key.about
        first, second = self.sources
        ahead = about["higher"]
        said = [
            f"{about['turns']} turns drawn (seed {about['seed']}) from {about['differing']} of"
            f" {about['compared']} at which people's {about['question']} differs: {first} ahead"
            f" {ahead[0]} times, {second} {ahead[1]} times"
        ]
        if self.agreement is not None:
            found = self.agreement
            said.append(
                f"phrasing, alpha between {len({one.rater for one in self.labels})} raters:"
                f" {found.estimate:.3f} [{found.interval[0]:.3f}, {found.interval[1]:.3f}]"
            )
        return [*said, f"signature {self.signature}"]

    @property
    def notes(self) -> Sequence[str]:
        """What to mind."""
        unscored = self.gap.unscored
        return [f"{unscored} turns lack a label of one source"] if unscored else []

    @property
    def missing(self) -> tuple[int, int]:
        """Labels without a phrasing, and all."""
        return sum(one.human != one.human for one in self.labels), max(1, len(self.labels))

    def to_json(self) -> dict[str, Any]:
        """Phrasing, themes, and how the turns were chosen."""
        return {
            "sources": list(self.sources),
            "about": dict(self.key.about),
            "phrasing": {source: self.phrasing(source).to_json() for source in self.sources},
            "difference": self.gap.to_json(),
            "test": self.test.to_json(),
            "agreement": None if self.agreement is None else self.agreement.to_json(),
            "themed": self.themed,
            "themes": {
                one: {source: self.theme(source, one).to_json() for source in self.sources}
                for one in self.themes
            },
            "signature": self.signature,
        }


def labels_in(key: Key, judgments: JudgmentTable) -> tuple[Label, ...]:
    """One label a row of the sheet and rater."""
    said: dict[tuple[str, str], dict[str, Judgment]] = {}
    for row in judgments:
        said.setdefault((row.item, row.judge), {})[row.question] = row
    entries = {one.item: one for one in key.entries}
    return tuple(
        Label(entries[item], rater, _human(own.get("phrasing")), _themes_of(own))
        for (item, rater), own in said.items()
    )


def _human(row: Judgment | None) -> float:
    if row is None or row.answer is None:
        return float("nan")
    return float(row.answer == HUMAN)


def _themes_of(own: Mapping[str, Judgment]) -> tuple[str, ...] | None:
    given = own.get("theme")
    if given is not None and given.answer is not None:
        return named_themes(given.answer)
    written = own.get("difference")
    if written is None or written.answer is None:
        return None
    if is_same(written.answer):
        return (SAME,)
    return named_themes(written.answer)

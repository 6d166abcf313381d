"""How two sources differ where people's scores of them differ: figure 5 of UPHELD in shape."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from assize.base.signature import sign
from assize.judgments import JudgmentTable
from assize.reference._rating_sheets.workbook import Entry, Key
from assize.results import Column, Estimate, Hidden, PValue, Result, Share, Table
from assize.results.numbers import percent
from assize.stats import alpha, difference, share, sign_flip
from assize.stats._estimate import missing

HUMAN = "human"
SAME = "same"  # the theme of no difference
OTHER = "other"
_NONE = {"same", "none", "no", "no difference", "nothing", "-", "–", "n/a", "identical"}
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


@dataclass(frozen=True, slots=True)
class Phrasing:
    """How one source's continuations sound.

    Args:
        sounds_human: share of the labels; those of one conversation belong together.
        turns: with a label.
    """

    source: str
    sounds_human: Share
    turns: int


@dataclass(frozen=True, slots=True)
class PhrasingDifference:
    """Whether two sources sound alike, over turns.

    Args:
        difference: the first source's share less the second's, in [-1, 1], paired by turn; its
            interval takes conversations as units.
        p: signs of the turns' differences flipped, whole conversations at a time.
    """

    sources: str
    difference: Annotated[Estimate, Column(kind="percent", digits=1, unit="%", signed=True)]
    p: PValue


@dataclass(frozen=True, slots=True)
class Theme:
    """How many labels of one source name a theme of the difference from the reference."""

    theme: str
    source: str
    labels: Share


@dataclass(frozen=True)
class Contrast(Result):
    """How two sources sound, and in what they differ from the reference.

    Args:
        sources: whose continuations were compared.
        themes: most frequent first; the rare ones together, and `same`, last.
        agreement: Krippendorff's alpha of the phrasing between raters; None where there is one.
        unlabelled: labels without a phrasing.
        themed: where the themes come from, in words.
        about: how the turns were chosen.
        labels: by people.
        judgments: the same as a table.
        key: the rows of the sheet.
    """

    heading = "Two sources"

    sources: tuple[str, str]
    phrasing: Annotated[
        Sequence[Phrasing],
        Table(
            "How the continuations sound",
            "Share of the labels that say human rather than template.",
        ),
    ]
    difference: Annotated[Sequence[PhrasingDifference], Table("Difference between the sources")]
    themes: Annotated[
        Sequence[Theme],
        Table(
            "In what they differ from the reference",
            "Shares of the labels that name a theme.",
            group="theme",
        ),
    ]
    agreement: Annotated[Estimate | None, Column("alpha between raters")]
    raters: int
    unlabelled: Hidden[int]
    themed: str
    about: Mapping[str, Any]
    signature: str
    labels: tuple[Label, ...] = field(repr=False)
    judgments: JudgmentTable = field(repr=False)
    key: Key = field(repr=False)

    @property
    def sentence(self) -> str:
        """Which source sounds more human, and by how much."""
        first, second = self.phrasing
        return (
            f"{percent(first.sounds_human.estimate)} of the labels of {first.source} and"
            f" {percent(second.sounds_human.estimate)} of those of {second.source} say human."
        )

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Where themes come from."""
        return {"themes": [f"Themes are {self.themed}."]}

    @property
    def lines(self) -> Sequence[str]:
        """How the turns were drawn, and what makes the figures comparable."""
        about, signature = self.about, f"signature {self.signature}"
        if "differing" not in about:  # all of them were labelled
            return [signature]
        first, second = about["higher"]
        return [
            f"{about['turns']} turns drawn (seed {about['seed']}) from {about['differing']} of"
            f" {about['compared']} at which people's {about['question']} differs:"
            f" {self.sources[0]} ahead {first} times, {self.sources[1]} {second} times",
            signature,
        ]

    @property
    def notes(self) -> Sequence[str]:
        """What to mind."""
        unscored = self.difference[0].difference.unscored
        return [f"{unscored} turns lack a label of one source"] if unscored else []

    @property
    def missing(self) -> tuple[int, int]:
        """Labels without a phrasing, and all."""
        return self.unlabelled, max(1, len(self.labels))


def contrast_labels(
    key: Key, labels: tuple[Label, ...], judgments: JudgmentTable, themed: str, seed: int = 0
) -> Contrast:
    """Return how two sources differ by people's labels.

    Args:
        themed: where the themes come from, in words.
        seed: of the test.
    """
    first, second = key.about["sources"]
    answers = [[label.entry.row, label.rater, str(label.human), label.themes] for label in labels]
    return Contrast(
        sources=(first, second),
        phrasing=[measure_phrasing(source, labels) for source in (first, second)],
        difference=[compare_phrasing((first, second), labels, seed)],
        themes=count_themes((first, second), labels),
        agreement=rater_agreement(key, labels),
        raters=len({label.rater for label in labels}),
        unlabelled=sum(math.isnan(label.human) for label in labels),
        themed=themed,
        about=key.about,
        signature=sign(dict(key.about), answers, themed),
        labels=labels,
        judgments=judgments,
        key=key,
    )


def labels_of(source: str, labels: Sequence[Label]) -> list[Label]:
    """Return the labels of one source's rows."""
    return [label for label in labels if label.entry.source == source]


def measure_phrasing(source: str, labels: Sequence[Label]) -> Phrasing:
    """Return the share of a source's labels that say human."""
    own = labels_of(source, labels)
    conversations = [label.entry.conversation for label in own]
    turns = {label.where for label in own if not math.isnan(label.human)}
    return Phrasing(
        source, share([label.human for label in own], clusters=conversations), len(turns)
    )


def compare_phrasing(
    sources: tuple[str, str], labels: Sequence[Label], seed: int
) -> PhrasingDifference:
    """Return the difference of two sources over turns, at each the mean of its raters."""
    turns = {label.where: label.entry.conversation for label in labels}
    shares = []  # by source (T,), NaN for none
    for source in sources:
        answers: dict[str, list[float]] = {}
        for label in labels_of(source, labels):
            if not math.isnan(label.human):
                answers.setdefault(label.where, []).append(label.human)
        shares.append(np.array([np.mean(answers.get(turn, [np.nan])) for turn in turns]))
    clusters = list(turns.values())
    rng = np.random.default_rng(seed)
    test = sign_flip(shares[0] - shares[1], clusters=clusters, permutations=_PERMUTATIONS, rng=rng)
    gap = missing("mean", 1, "no labels")
    if turns:
        gap = difference(shares[0], shares[1], paired=True, clusters=clusters)
    return PhrasingDifference(f"{sources[0]} less {sources[1]}", gap, test.p_value)


def rater_agreement(key: Key, labels: Sequence[Label]) -> Estimate | None:
    """Return Krippendorff's alpha of the phrasing; None where there is only one rater."""
    raters = list(dict.fromkeys(label.rater for label in labels))
    if len(raters) < 2:
        return None
    rows = {entry.row: index for index, entry in enumerate(key.entries)}
    grid = np.full((len(raters), len(rows)), np.nan)
    for label in labels:
        grid[raters.index(label.rater), rows[label.entry.row]] = label.human
    return alpha(grid)


def count_themes(sources: Sequence[str], labels: Sequence[Label]) -> list[Theme]:
    """Return the themes, most frequent first; `other` for the rare ones, and `same`, last.

    Of each the share of a source's labels that name it; clusters are conversations.
    """
    counts = Counter(theme for label in labels for theme in label.themes or ())
    frequent = [theme for theme, _ in counts.most_common() if theme not in (SAME, OTHER)]
    shown = [*frequent[:_MOST], *([OTHER] if OTHER in counts or len(frequent) > _MOST else [])]
    shown += [SAME] if SAME in counts else []
    rows = []
    for theme in shown:
        for source in sources:
            own = labels_of(source, labels)
            values = []
            for label in own:
                names = {name if name in shown else OTHER for name in label.themes or ()}
                values.append(math.nan if label.themes is None else float(theme in names))
            conversations = [label.entry.conversation for label in own]
            rows.append(Theme(theme, source, share(values, clusters=conversations)))
    return rows


def labels_in(key: Key, judgments: JudgmentTable) -> tuple[Label, ...]:
    """One label a row of the sheet and rater; a theme that people name comes before their note."""
    answers: dict[tuple[str, str], dict[str, str | None]] = {}
    for row in judgments:
        answers.setdefault((row.item, row.judge), {})[row.question] = row.answer
    entries = {entry.item: entry for entry in key.entries}
    labels = []
    for (item, rater), cells in answers.items():
        phrasing, theme = cells.get("phrasing"), cells.get("theme")
        human = math.nan if phrasing is None else float(phrasing == HUMAN)
        note = cells.get("difference") if theme is None else theme
        themes = None if note is None else name_themes(note)
        labels.append(Label(entries[item], rater, human, themes))
    return tuple(labels)


def name_themes(text: str) -> tuple[str, ...]:
    """The themes in a cell, parted by semicolons, each once, letter case aside.

    >>> name_themes("Longer; asks nothing;longer"), name_themes(" No difference. ")
    (('longer', 'asks nothing'), ('same',))
    """
    if text.strip().strip(".").casefold() in _NONE:
        return (SAME,)
    parts = [" ".join(part.split()).casefold() for part in text.split(";")]
    return tuple(dict.fromkeys(filter(None, parts)))

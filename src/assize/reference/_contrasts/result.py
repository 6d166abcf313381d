"""How two sources differ where people's scores of them differ: figure 5 of UPHELD in shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Annotated, Any

import numpy as np

from assize.base.signature import sign
from assize.judgments import JudgmentTable
from assize.reference._rating_sheets.form import PHRASING
from assize.reference._rating_sheets.workbook import Key
from assize.reference._ratings import Ratings, Target, read_ratings
from assize.results import Column, Estimate, Hidden, PValue, Result, Share, Table
from assize.results.numbers import percent
from assize.stats import alpha, difference, share, sign_flip
from assize.stats._estimate import missing

SAME = "same"  # the theme of no difference
OTHER = "other"
_NONE = {"same", "none", "no", "no difference", "nothing", "-", "–", "n/a", "identical"}
_PERMUTATIONS = 10_000
_MOST = 12  # themes that are told apart; the rest is `other`


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
        labels: how many rows people labelled, each by itself.
        judgments: by people.
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
    labels: Hidden[int]
    unlabelled: Hidden[int]
    themed: str
    about: Mapping[str, Any]
    signature: str
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
        return self.unlabelled, max(1, self.labels)


def contrast_labels(key: Key, judgments: JudgmentTable, seed: int = 0) -> Contrast:
    """Return how two sources differ by people's labels of the rows of a sheet.

    Args:
        seed: of the test.
    """
    first, second = key.about["sources"]
    rows = {entry.item: index for index, entry in enumerate(key.entries)}
    ratings = read_ratings(judgments, Target((PHRASING.question.id,)), rows)
    named = "theme" in judgments.asked
    answers = [[row.item, row.judge, row.question, row.answer] for row in judgments]
    labels = judgments.where(question=PHRASING.question.id)
    return Contrast(
        sources=(first, second),
        phrasing=[measure_phrasing(source, key, ratings) for source in (first, second)],
        difference=[compare_phrasing((first, second), key, ratings, seed)],
        themes=count_themes((first, second), key, judgments),
        agreement=alpha(ratings.values) if len(ratings.values) > 1 else None,
        raters=len(ratings.values),
        labels=len(labels),
        unlabelled=labels.unscored,
        themed="themes by people" if named else "notes as they stand",
        about=key.about,
        signature=sign(dict(key.about), answers),
        judgments=judgments,
        key=key,
    )


def measure_phrasing(source: str, key: Key, ratings: Ratings) -> Phrasing:
    """Return the share of a source's labels that say human."""
    own = np.array([entry.source == source for entry in key.entries])
    conversations = np.array([entry.conversation for entry in key.entries])[own]
    human = ratings.values[:, own]
    clusters = np.tile(conversations, len(human))
    return Phrasing(source, share(human.ravel(), clusters=clusters), len(ratings.take(own)))


def compare_phrasing(
    sources: tuple[str, str], key: Key, ratings: Ratings, seed: int
) -> PhrasingDifference:
    """Return the difference of two sources over turns, at each the mean of its raters."""
    turns = {(entry.conversation, entry.turn): entry.conversation for entry in key.entries}
    means = {source: dict.fromkeys(turns, nan) for source in sources}
    for entry, mean in zip(key.entries, ratings.means.tolist(), strict=True):
        means[str(entry.source)][entry.conversation, entry.turn] = mean
    first, second = (np.array(list(means[source].values())) for source in sources)
    clusters = list(turns.values())
    rng = np.random.default_rng(seed)
    test = sign_flip(first - second, clusters=clusters, permutations=_PERMUTATIONS, rng=rng)
    gap = missing("mean", 1, "no labels")
    if len(ratings):
        gap = difference(first, second, paired=True, clusters=clusters)
    return PhrasingDifference(f"{sources[0]} less {sources[1]}", gap, test.p_value)


def count_themes(sources: Sequence[str], key: Key, judgments: JudgmentTable) -> list[Theme]:
    """Return the themes, most frequent first; `other` for the rare ones, and `same`, last.

    Of each the share of a source's labels that name it; clusters are conversations.
    """
    notes = {
        (row.item, row.judge): row.answer
        for question in ("difference", "theme")  # a theme takes the place of the note
        for row in judgments.where(question=question)
    }
    themes = {row: None if note is None else name_themes(note) for row, note in notes.items()}
    counts = Counter(theme for names in themes.values() for theme in names or ())
    frequent = [theme for theme, _ in counts.most_common() if theme not in (SAME, OTHER)]
    shown = [*frequent[:_MOST], *([OTHER] if OTHER in counts or len(frequent) > _MOST else [])]
    shown += [SAME] if SAME in counts else []
    together = {
        row: {name if name in shown else OTHER for name in names or ()}
        for row, names in themes.items()
    }
    entries = {entry.item: entry for entry in key.entries}
    rows = []
    for theme in shown:
        for source in sources:
            own = [row for row in themes if entries[row[0]].source == source]
            values = [nan if themes[row] is None else float(theme in together[row]) for row in own]
            conversations = [entries[item].conversation for item, _ in own]
            rows.append(Theme(theme, source, share(values, clusters=conversations)))
    return rows


def name_themes(text: str) -> tuple[str, ...]:
    """The themes in a cell, parted by semicolons, each once, letter case aside.

    >>> name_themes("Longer; asks nothing;longer"), name_themes(" No difference. ")
    (('longer', 'asks nothing'), ('same',))
    """
    if text.strip().strip(".").casefold() in _NONE:
        return (SAME,)
    parts = [" ".join(part.split()).casefold() for part in text.split(";")]
    return tuple(dict.fromkeys(filter(None, parts)))

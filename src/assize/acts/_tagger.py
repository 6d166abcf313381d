"""The local tagger: an encoder, a logistic regression an act, and the folder it is kept in.

The same turns give the same acts, every time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from assize.acts import _cues as cues
from assize.acts._cues import Utterance, utterances
from assize.acts._labels import Act
from assize.base import artefacts
from assize.base.artefacts import Kind, open_artefact
from assize.base.conversation import Conversation, Pair
from assize.base.disk_cache import cache_folder
from assize.base.errors import DataError
from assize.base.record_parts import FIGURES, to_parts
from assize.base.signature import sign_text
from assize.encoders import Encoder, encoder_facts, reopen_stored
from assize.results import Column, Result, ResultTable, Table
from assize.results.numbers import percent

if TYPE_CHECKING:
    from assize.formats import Items
    from assize.judgments import JudgmentTable

VERSION = 2  # of the weights' meaning: a part of the signature
KIND = Kind(
    "tagger",
    "tagger.json",
    "weights",
    version=4,
    remedy="make one with `assize acts train RUN --items FILES`, where RUN is what `assize judge"
    " FILES --judge acts@MODEL --out RUN` wrote",
)
LOCAL = "local"
TURNS_AT_ONCE = 2048
LARGEST = 1e9  # of its numbers, so that sums of products stay numbers of 32 bits
GIVEN = 0.3  # the probability from which an act is given

Floats = NDArray[np.float32]


MICRO, COMMON = "the tagger, acts", "the most common act of the speaker"
AGAIN = "the judge's own second vote"


@dataclass(frozen=True, slots=True)
class TaggerScore:
    """F1 over all acts of all turns together; NaN where there is none."""

    who: str
    f1: Annotated[float, Column("F1")]


@dataclass(frozen=True, slots=True)
class ActScore:
    """F1 of one act, and how many turns have it."""

    act: str
    f1: Annotated[float, Column("F1")]
    turns: int


@dataclass(frozen=True, slots=True)
class TaggerFigures(Result):
    """How well held-out conversations were tagged.

    Args:
        scores: of the tagger (acts, functions whatever the dimension, mean over acts), of giving
            every turn the most common act of its speaker, and of the judge's second vote.
        turns, conversations: how many there were.
        exact: share of turns whose set of functions is the right one.
        missed: share of labels that are of acts too rare to be learnt.
    """

    scores: Annotated[Sequence[TaggerScore], Table("F1 on held-out conversations")]
    by_act: Annotated[Sequence[ActScore], Table("By act")]
    turns: int
    conversations: int
    exact: float
    missed: float


@dataclass(frozen=True)
class Tagger(Result):
    """A tagger of dialogue acts, and how well it tags held-out conversations.

    Args:
        acts: what it can say of a turn, L of them.
        weight: (F, L) on features.
        bias: (L,).
        encoder: what it was trained on.
        about: where it comes from.
        figures: on held-out conversations; None where nothing is known of its training.
    """

    acts: tuple[Act, ...] = field(repr=False)
    weight: Floats = field(repr=False)
    bias: Floats = field(repr=False)
    encoder: Encoder = field(repr=False)
    about: Mapping[str, Any] = field(default_factory=dict)
    figures: Annotated[TaggerFigures | None, FIGURES] = None

    def __post_init__(self) -> None:
        if not self.acts or len(set(self.acts)) < len(self.acts):
            raise DataError("says no act, or one twice")
        labels = (len(self.acts),)
        width = 2 * self.encoder.dimension + cues.FLAGS + cues.PLACES
        for name, part, shape in (
            ("weight", self.weight, (width, *labels)),
            ("bias", self.bias, labels),
        ):
            if part.shape != shape:
                raise DataError(f"{name} has the shape {part.shape}, not {shape}")
            if not (np.abs(part, dtype=np.float64) <= LARGEST).all():
                raise DataError(f"{name} holds a number above {LARGEST:g}")

    def tag(self, turns: Sequence[Utterance]) -> list[list[Act]]:
        """Return the acts of each turn, the most probable first; a blank turn has none.

        A turn that says something has at least its most probable act.
        """
        tagged: list[list[Act]] = []
        for start in range(0, len(turns), TURNS_AT_ONCE):
            part = turns[start : start + TURNS_AT_ONCE]
            chances = probabilities(cues.features(part, self.encoder), self.weight, self.bias)
            for turn, row, chosen in zip(part, chances, decide(chances), strict=True):
                ranked = [self.acts[act] for act in np.argsort(-row, kind="stable") if chosen[act]]
                tagged.append(ranked if turn.text.strip() else [])
        return tagged

    def tag_items(self, items: Sequence[Pair | Conversation]) -> Iterator[dict[str, Any]]:
        """`details` of judgments: `{"acts": ...}` for each item, in order."""
        said = [utterances(item) for item in items]
        acts = iter(self.tag([one for turns in said for one in turns]))
        for item in items:
            turns = item.context if isinstance(item, Pair) else item.turns
            first = [[list(act) for act in next(acts)] for _ in turns]
            if isinstance(item, Conversation):
                yield {"acts": {"turns": first}}
            else:
                a, b = (
                    [[list(act) for act in next(acts)] for _ in side] for side in (item.a, item.b)
                )
                yield {"acts": {"context": first, "a": a, "b": b}}

    @property
    def sentence(self) -> str:
        """How well it tags."""
        if self.figures is None:
            return "A tagger of dialogue acts; how well it tags is not known."
        f1 = self.figures.scores[0].f1
        return f"A tagger of dialogue acts: F1 {f1:.3f} on held-out conversations."

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """Those of its figures; none where nothing is known of its training."""
        return {} if self.figures is None else self.figures.tables

    @property
    def lines(self) -> Sequence[str]:
        """What it learnt from, and its signature."""
        figures, signature = self.figures, f"signature {self.signature}"
        if figures is None:
            return [signature]
        learnt = (
            f" {figures.turns:,} turns of {figures.conversations:,} conversations labelled by"
            f" {self.about.get('judge', 'a judge')}; all functions right in"
            f" {percent(figures.exact)} of turns. {percent(figures.missed)} of labels are too rare"
            " to be learnt."
        )
        return [learnt, "", signature]

    def predict(self, items: Items) -> JudgmentTable:
        """The acts of every turn, in `details` of a judgment an item."""
        judge = import_module("assize.acts._tagger_judge").TaggerJudge(self)
        found: JudgmentTable = import_module("assize").judge(items, judge)
        return found

    def save(self, folder: str | Path) -> None:
        """Write the folder, so that `acts@FOLDER` is a judge; an earlier tagger in it is replaced.

        Raises:
            OutputError: the folder cannot be written.
        """
        record, arrays = to_parts(self, leave=("encoder",))
        facts = {
            "features": cues.VERSION,
            "encoder": encoder_facts(self.encoder),
            "tagger": record,
        }
        artefacts.save(KIND, Path(folder), facts, arrays, self.signature)

    @cached_property
    def signature(self) -> str:
        """Twelve digits for everything that can change an act."""
        numbers = [part.tobytes().hex() for part in (self.weight, self.bias)]
        parts = [VERSION, cues.VERSION, self.encoder.signature, self.acts, *numbers]
        return sign_text(json.dumps(parts))


def probabilities(features: Floats, weight: Floats, bias: Floats) -> Floats:
    """Return (N, L) how probable each act is for each turn."""
    odds = features @ weight + bias
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -60, 60))), np.float32)


def decide(chances: Floats) -> NDArray[np.bool_]:
    """Return (N, L) which acts are given: the probable ones, at least the most probable."""
    chosen = chances >= GIVEN
    chosen[np.arange(len(chances)), np.argmax(chances, axis=1)] = True
    return np.asarray(chosen)


def local_folder() -> Path:
    """Where `acts@local` is kept: `acts` beside the cache."""
    return cache_folder() / "acts"


def load_tagger(target: str = LOCAL, *, encoder: str | None = None) -> Tagger:
    """Load the tagger in a folder; `local` is the one that `assize acts train` made last.

    Args:
        target: a folder, or `local`.
        encoder: encoder to allow if the tagger was trained with one other than minilm; its weights
            must be those that it was trained with.

    Raises:
        DataError: there is no tagger, it is damaged, or another version made it.
        ConfigError: the encoder is not the one that it was trained with, or must be allowed.
        MissingExtra: a part of the extra `score` is not installed.
    """
    folder = local_folder() if target == LOCAL else Path(target)
    found = open_artefact(KIND, folder)
    if found.facts.get("features") != cues.VERSION:
        raise DataError(f"reads other features; {KIND.remedy}", source=str(found.place))
    return found.record(Tagger, "tagger", encoder=reopen_stored(found, word=encoder))

"""The local tagger: an encoder, a linear head for many labels, and the folder it is kept in.

The same turns give the same acts, every time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assize import artefacts
from assize.artefacts import Artefact, Kind, open_artefact
from assize.conversation import Conversation, Pair
from assize.dialogue_acts import cues
from assize.dialogue_acts.cues import Utterance, utterances
from assize.dialogue_acts.labels import Act
from assize.disk_cache import cache_folder
from assize.encoders import Encoder, reopen_encoder
from assize.errors import ConfigError, DataError
from assize.facts import read_as
from assize.results import Column, Result, ResultTable
from assize.results.numbers import percent
from assize.signature import sign_text

if TYPE_CHECKING:
    from assize.formats import Items
    from assize.judgments import JudgmentTable

VERSION = 1  # of the weights' meaning: a part of the signature
KIND = Kind(
    "tagger",
    "tagger.json",
    "weights",
    version=2,
    remedy="make one with `assize acts train RUN --items FILES`, where RUN is what `assize judge"
    " FILES --judge acts@MODEL --out RUN` wrote",
)
LOCAL = "local"
TURNS_AT_ONCE = 2048
LARGEST = 1e9  # of its numbers, so that sums of products stay numbers of 32 bits
LEAST = 1e-37  # of a threshold, that something may be divided by

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Tagger(Result):
    """A trained tagger, which shows how well held-out conversations were tagged.

    Args:
        acts: what it can say of a turn, L of them.
        weight: (F, L) on scaled features.
        bias: (L,).
        thresholds: (L,) the probability from which an act is given.
        center, scale: (2D + 4,) of the dense features.
        encoder: what it was trained on.
        about: figures and where it comes from.
    """

    acts: tuple[Act, ...]
    weight: Floats
    bias: Floats
    thresholds: Floats
    center: Floats
    scale: Floats
    encoder: Encoder
    about: Mapping[str, Any] = field(default_factory=dict)

    def features(self, said: Sequence[Utterance]) -> Floats:
        """(N, F) scaled features."""
        dense, hashed = cues.rows(said, self.encoder)
        return scaled(dense, hashed, self.center, self.scale)

    def probabilities(self, said: Sequence[Utterance]) -> Floats:
        """(N, L) how probable each act is for each turn."""
        return sigmoid(self.features(said) @ self.weight + self.bias)

    def tag(self, said: Sequence[Utterance]) -> list[list[Act]]:
        """The acts of each turn, the most probable first; a blank turn has none.

        A turn that says something has at least its most probable act.
        """
        found: list[list[Act]] = []
        for start in range(0, len(said), TURNS_AT_ONCE):
            some = said[start : start + TURNS_AT_ONCE]
            chances = self.probabilities(some)
            given = decided(chances, self.thresholds)
            for one, row, chosen in zip(some, chances, given, strict=True):
                ranked = np.argsort(-row, kind="stable")
                kept = [self.acts[place] for place in ranked if chosen[place]]
                found.append(kept if one.text.strip() else [])
        return found

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
    def figures(self) -> Mapping[str, Any]:
        """On held-out conversations; {} where nothing is known of its training."""
        found: Mapping[str, Any] = self.about.get("trained_on", {}).get("figures", {})
        return found

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """How well held-out conversations were tagged, over all acts and by act."""
        found = self.figures
        if not found:
            return {}
        f1 = {name: nan if one is None else one for name, one in found["f1"].items()}
        rows = [
            ("the tagger, acts", f1["micro"]),
            ("the tagger, functions alone", f1["functions"]),
            ("the tagger, mean over acts", f1["macro"]),
            ("the most common act of the speaker", f1["most_common_act"]),
            ("the judge's own second vote", f1["second_vote"]),
        ]
        score, turns = Column("F1", "number"), Column("Turns", "count")
        ranked = sorted(found["by_act"].items(), key=lambda pair: -pair[1]["turns"])
        acts = [(name, one["f1"], one["turns"]) for name, one in ranked]
        return {
            "F1": ResultTable("F1 on held-out conversations", (Column("Who"), score), rows),
            "By act": ResultTable("By act", (Column("Act"), score, turns), acts),
        }

    @property
    def lines(self) -> Sequence[str]:
        """What it learnt from, and its signature."""
        found, signature = self.figures, f"signature {self.signature}"
        if not found:
            return [signature]
        exact, rare = (
            nan if found[name] is None else found[name] for name in ("exact", "rare_labels")
        )
        learnt = (
            f" {found['turns']:,} turns of {found['conversations']:,} conversations labelled by"
            f" {self.about.get('judge', 'a judge')}; all functions right in {percent(exact)} of"
            f" turns. {percent(rare)} of labels are too rare to be learnt."
        )
        return [learnt, "", signature]

    def to_json(self) -> dict[str, Any]:
        """The figures, whose acts were learnt, and the signature."""
        return {**self.figures, "judge": self.about.get("judge"), "signature": self.signature}

    def predict(self, items: Items) -> JudgmentTable:
        """The acts of every turn, in `details` of a judgment an item."""
        judge = import_module("assize.dialogue_acts.tagger_judge").TaggerJudge(self)
        found: JudgmentTable = import_module("assize").judge(items, judge)
        return found

    def save(self, folder: str | Path) -> None:
        """Writes it, so that `acts@FOLDER` is a judge.

        Raises:
            OutputError: the folder cannot be written.
        """
        save_tagger(self, folder)

    @cached_property
    def signature(self) -> str:
        """Twelve digits for everything that can change an act."""
        parts = [
            VERSION,
            cues.VERSION,
            self.encoder.signature,
            self.acts,
            *(part.tobytes().hex() for part in _tensors(self).values()),
        ]
        return sign_text(json.dumps(parts))


def scaled(dense: Floats, hashed: Floats, center: Floats, scale: Floats) -> Floats:
    """Both blocks side by side, on one scale."""
    standard = (dense - center) / scale * np.float32(cues.DENSE_WEIGHT)
    return np.hstack([standard, hashed * np.float32(cues.CUE_WEIGHT)]).astype(np.float32)


def sigmoid(values: NDArray[Any]) -> Floats:
    """Probabilities of log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -60, 60))), np.float32)


def decided(chances: Floats, thresholds: Floats) -> NDArray[np.bool_]:
    """(N, L) which acts are given: those that reach their threshold, at least the nearest."""
    given = chances >= thresholds
    nearest = np.argmax(chances / thresholds, axis=1)
    given[np.arange(len(chances)), nearest] = True
    return np.asarray(given)


def _tensors(tagger: Tagger) -> dict[str, Floats]:
    names = ("weight", "bias", "thresholds", "center", "scale")
    return {name: np.ascontiguousarray(getattr(tagger, name), np.float32) for name in names}


def local_folder() -> Path:
    """Where `acts@local` is kept: `acts` beside the cache."""
    return cache_folder() / "acts"


def save_tagger(tagger: Tagger, folder: str | Path) -> None:
    """Writes the folder; an earlier tagger in it is replaced whole."""
    facts = {
        "features": cues.VERSION,
        "encoder": dict(tagger.encoder.details),
        "encoder_spec": tagger.encoder.name,
        "acts": [list(act) for act in tagger.acts],
        "about": dict(tagger.about),
    }
    artefacts.save(KIND, Path(folder), facts, _tensors(tagger), tagger.signature)


def load_tagger(target: str = LOCAL, *, encoder: str | None = None) -> Tagger:
    """The tagger in a folder; `local` is the one that `assize acts train` made last.

    Args:
        encoder: your word for an encoder other than minilm, which a folder cannot open by
            itself; the weights must be those that it was trained on.

    Raises:
        DataError: there is none, it is damaged, or it was made by another version.
        ConfigError: the encoder here is not the one that it was trained on, or needs your word.
        MissingExtra: a part of the extra `score` is not installed.
    """
    folder = local_folder() if target == LOCAL else Path(target)
    found = open_artefact(KIND, folder)
    if found.facts.get("features") != cues.VERSION:
        raise DataError(f"reads other features; {KIND.remedy}", source=str(found.place))
    try:
        with found.understood():
            return _made(found, encoder)
    except ConfigError as error:
        raise ConfigError(f"{folder}: {error}") from error
    except DataError as error:
        raise error.at(str(found.place), None) from None


def _made(found: Artefact, said: str | None) -> Tagger:
    facts = found.facts
    acts = read_as(tuple[Act, ...], facts["acts"])
    about = read_as(Mapping, facts.get("about", {}))
    if not acts or len(set(acts)) < len(acts):
        raise DataError("says no act, or one twice")
    encoder = reopen_encoder(facts["encoder"], facts.get("encoder_spec"), said=said)
    width = 2 * encoder.dimension + cues.FLAGS
    tensors = found.arrays(
        {
            "weight": (width + cues.PLACES, len(acts)),
            "bias": (len(acts),),
            "thresholds": (len(acts),),
            "center": (width,),
            "scale": (width,),
        }
    )
    if any((np.abs(one, dtype=np.float64) > LARGEST).any() for one in tensors.values()):
        raise DataError(f"holds a number above {LARGEST:g}")
    tensors = {name: one.astype(np.float32) for name, one in tensors.items()}
    for name, least in (("scale", 1 / LARGEST), ("thresholds", LEAST)):
        if (tensors[name] < least).any():
            raise DataError(f"a number of {name} is below {least:g}")
    return Tagger(acts, encoder=encoder, about=about, **tensors)

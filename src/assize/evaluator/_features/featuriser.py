"""From views to rows of numbers: the protocol of featurisers, their table, and a batch of texts.

A featuriser says which texts of a view the encoder reads and what a head is given of them: a
row of features. Each distinct text of a batch is encoded once.

Letters: F features, D dimension of the encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.judgment import Unscored
from assize.encoders import Encoder, Encoding
from assize.encoders.unknown_tokens import unreadable
from assize.evaluator._features.views import View

Features = NDArray[np.floating[Any]]
"""Of one view: (F,); NaN where one is not defined."""

ROWS = 1_024  # features of so many views in memory at a time
AT_ONCE = 256  # views whose texts are encoded together

FEATURISERS: Mapping[str, str] = {
    "turns": "assize.evaluator._features.blocks:TurnFeatures",
    "dialogue": "assize.evaluator._features.dialogue:DialogueFeatures",
    "exchanges": "assize.evaluator._features.blocks:ExchangeFeatures",
}


class Featuriser(Protocol):
    """How views become features; a frozen dataclass whose fields are its settings."""

    @property
    def name(self) -> str:
        """Its row in `FEATURISERS`."""
        ...

    @property
    def version(self) -> int:
        """Rises when the same turns give other numbers."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it is made with, as JSON values; kept, and part of a signature."""
        ...

    def widths(self, dimension: int) -> Mapping[str, int]:
        """The blocks of a row in order, with how many features each has for D = `dimension`."""
        ...

    def texts(self, view: View) -> Iterable[str]:
        """What the encoder is to read of a view."""
        ...

    def reader(self, texts: Sequence[str], encoding: Encoding) -> Callable[[View], Features]:
        """What gives the features of any view whose texts are among `texts`."""
        ...


def readable(view: View | Unscored, encoder: Encoder, featuriser: Featuriser) -> View | Unscored:
    """The view where it has features; or why it has none: the encoder cannot read all that was
    said, or what is judged of it, or the featuriser refuses. Asked before anything is encoded."""
    if isinstance(view, Unscored):
        return view
    for turns in (view.turns, view.judged):
        why = unreadable(encoder, [turn.text for turn in turns])
        if why is not None:
            return why
    refused = getattr(featuriser, "refused", None)  # of one that cannot read every view
    why = None if refused is None else refused(view, encoder)
    return view if why is None else why


def open_featuriser(name: str, settings: Mapping[str, Any]) -> Featuriser:
    """The featuriser of a name, with its settings."""
    if name not in FEATURISERS:
        known = ", ".join(FEATURISERS)
        raise DataError(f"featuriser {name!r} is not known to this version; known: {known}")
    module, _, made = FEATURISERS[name].partition(":")
    try:
        found: Featuriser = getattr(import_module(module), made)(**settings)
    except TypeError as error:
        raise DataError(f"featuriser {name!r} takes other settings ({error})") from error
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """The distinct texts of some views, encoded."""

    read: Callable[[View], Features]  # gives the features of a view
    windows: Mapping[str, int]  # for each text that was read in several windows, how many


def encode_views(views: Iterable[View], encoder: Encoder, featuriser: Featuriser) -> Texts:
    """The views' texts; each distinct one is encoded once."""
    texts = list(dict.fromkeys(text for view in views for text in featuriser.texts(view)))
    encoding = encoder.encode(texts) if texts else _nothing(encoder)
    _check(encoding, texts, encoder)
    many = np.flatnonzero(encoding.windows > 1)
    windows = {texts[place]: int(encoding.windows[place]) for place in many}
    return Texts(featuriser.reader(texts, encoding), windows)


def _check(encoding: Encoding, texts: Sequence[str], encoder: Encoder) -> None:
    """Refuses vectors that are no numbers: as missing features they would pass for the mean.

    Raises:
        DataError: a vector holds NaN or infinity.
    """
    bad = np.flatnonzero(~np.isfinite(encoding.vectors).all(axis=1))
    if len(bad):
        raise DataError(
            f"the encoder {encoder.name} gave a vector that is not of finite numbers for"
            f" {len(bad)} of {len(texts)} texts, the first being {texts[bad[0]][:60]!a};"
            " load it in fp32, or take another encoder"
        )


def _nothing(encoder: Encoder) -> Encoding:
    return Encoding(np.empty((0, encoder.dimension), np.float32), np.empty(0, np.int64), ())


def width(featuriser: Featuriser, encoder: Encoder) -> int:
    """How many features a row has."""
    return sum(featuriser.widths(encoder.dimension).values())


def feature_rows(
    views: Sequence[View], encoder: Encoder, featuriser: Featuriser, long: set[str] | None = None
) -> NDArray[np.float64]:
    """Features (N, F) of views; texts that were read in several windows are added to `long`."""
    rows = np.empty((len(views), width(featuriser, encoder)))
    for start in range(0, len(views), AT_ONCE):
        some = views[start : start + AT_ONCE]
        texts = encode_views(some, encoder, featuriser)
        if long is not None:
            long.update(texts.windows)
        for place, view in enumerate(some, start):
            rows[place] = texts.read(view)
    return rows

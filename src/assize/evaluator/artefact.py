"""A trained evaluator, and the folder it is kept in: `evaluator.json`, `heads.safetensors`.

The JSON says what the numbers mean, the tensors hold the numbers; nothing is pickled, and
nothing in the folder can run. The JSON holds the hash of the tensors and the settings of
the encoder that the heads were trained on; both are checked on loading.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from assize.encoders import Encoder, Precision, load_encoder
from assize.errors import ConfigError, DataError, MissingExtra
from assize.evaluator import features
from assize.evaluator.monotone_map import MonotoneMap
from assize.evaluator.text_features import FloatArray
from assize.evaluator.views import Level
from assize.formats.files import make_folder, open_output
from assize.formats.records import question, to_json
from assize.judgment import PREFERENCE, Question

FORMAT = 1
SCORING_VERSION = 1  # rises when the same artefact gives other scores
CLIP = 5.0  # standard deviations: how far outside the training data a feature can pull
SETTINGS, TENSORS, CARD = "evaluator.json", "heads.safetensors", "MODEL_CARD.md"
LEVELS: tuple[Level, ...] = get_args(Level)

_Tensors = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """How features are standardised: mean (F,) and standard deviation (F,)."""

    center: FloatArray
    scale: FloatArray

    def __call__(self, rows: FloatArray) -> FloatArray:
        """Rows (N, F) in standard deviations, within +-CLIP; a missing feature is 0."""
        standard = (rows - self.center) / self.scale
        return np.clip(np.nan_to_num(standard, nan=0.0), -CLIP, CLIP)


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """One dimension.

    Args:
        question: what the score answers; its range is [0, 1]. A question of kind
            `preference` is asked of pairs only: its weights say which of two responses
            is better, and nothing of one alone.
        weight: (F,) on standardised features.
        maps: from raw number to score, for whole conversations and for single turns.
        low, high: scores at or below `low` are flagged as poor, at or above `high` as good.
        trained_on: names of the corpora.
    """

    question: Question
    weight: FloatArray
    maps: Mapping[Level, MonotoneMap]
    low: float = 0.25
    high: float = 0.75
    trained_on: tuple[str, ...] = ()

    @property
    def pairs_only(self) -> bool:
        """Whether it compares two responses and says nothing of one alone."""
        return self.question.kind == "preference"


@dataclass(frozen=True, eq=False)
class Evaluator:
    """A frozen encoder with a scaling and one head or more.

    Args:
        name: stands in the judge's name, `evaluator@NAME`.
        encoder: what the heads were trained on.
        heads: by question id; the first one decides `preference` and is no head for
            pairs only.
        tie: raw numbers closer than this make a preference a tie; in standard
            deviations of the first head's predictions on its training data.
        about: free facts for the reader: version, date, data, licence.
    """

    name: str
    encoder: Encoder
    scaling: Scaling
    heads: Mapping[str, Head]
    tie: float = 0.05
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def judge(self) -> str:
        """The judge's name in judgments."""
        return f"evaluator@{self.name}"

    @property
    def main(self) -> Head:
        """The head that heads the table and decides preferences."""
        return next(iter(self.heads.values()))

    @property
    def questions(self) -> tuple[Question, ...]:
        """The heads' questions, and the one that pairs are asked."""
        return (*(head.question for head in self.heads.values()), PREFERENCE)

    @cached_property
    def weights(self) -> FloatArray:
        """The heads' weights side by side, (F, H)."""
        return np.stack([head.weight for head in self.heads.values()], axis=1)

    def raw(self, rows: FloatArray) -> FloatArray:
        """Raw numbers (N, H) of feature rows (N, F), before the maps."""
        if len(rows) == 0:
            return np.empty((0, len(self.heads)))
        return np.asarray(self.scaling(rows) @ self.weights)

    @cached_property
    def signature(self) -> str:
        """Twelve digits that stand for everything that can change a score."""
        tensors = _tensors(self)
        parts = [
            SCORING_VERSION,
            features.VERSION,
            self.encoder.signature,
            self.tie,
            *(part.tobytes().hex() for _, part in sorted(tensors.items())),
        ]
        return hashlib.blake2b(json.dumps(parts).encode(), digest_size=6).hexdigest()


def save(evaluator: Evaluator, folder: Path) -> None:
    """Writes both files; the folder is made, and earlier files are replaced whole.

    Raises:
        OutputError: the folder cannot be written.
        MissingExtra: safetensors is not installed.
    """
    from safetensors.numpy import save as pack

    make_folder(folder)
    data = pack(_tensors(evaluator))
    details = dict(evaluator.encoder.details)
    settings = {
        "format": FORMAT,
        "name": evaluator.name,
        "signature": evaluator.signature,
        "encoder": details,
        "features": {"version": features.VERSION, "blocks": features.widths(_width(evaluator))},
        "scores": "share of the training data that is predicted worse, each corpus counted alike",
        "tie": evaluator.tie,
        "heads": [_described(head) for head in evaluator.heads.values()],
        "about": dict(evaluator.about),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    with open_output(folder / TENSORS) as stream:
        stream.write(data)
    with open_output(folder / SETTINGS) as stream:
        stream.write((json.dumps(settings, indent=1, ensure_ascii=False) + "\n").encode())


def _width(evaluator: Evaluator) -> int:
    return evaluator.encoder.dimension


def _described(head: Head) -> dict[str, Any]:
    return {
        "question": to_json(head.question),
        "low": head.low,
        "high": head.high,
        "trained_on": list(head.trained_on),
        "levels": list(head.maps),
    }


def _tensors(evaluator: Evaluator) -> _Tensors:
    found: _Tensors = {
        "center": evaluator.scaling.center.astype(np.float32),
        "scale": evaluator.scaling.scale.astype(np.float32),
    }
    for name, head in evaluator.heads.items():
        found[f"weight.{name}"] = head.weight.astype(np.float32)
        for level, shaped in head.maps.items():
            found[f"map.{level}.{name}"] = np.stack([shaped.knots, shaped.levels])
    return found


def load_evaluator(folder: str | Path | None = None, *, precision: Precision = "fp32") -> Evaluator:
    """The evaluator kept in a folder; the shipped `assize-small-1` when None.

    Args:
        folder: holds `evaluator.json` and `heads.safetensors`.
        precision: of the encoder; `int8` is faster and moves scores a little.

    Raises:
        DataError: a file is missing, damaged, or does not fit the other.
        ConfigError: the encoder here is not the one the heads were trained on.
        MissingExtra: a part of the extra `score` is not installed.
    """
    if folder is not None:
        return _load(Path(folder), precision)
    with as_file(files("assize.evaluator") / "default") as shipped:
        return _load(shipped, precision)


def read_card(folder: str | Path | None = None) -> str:
    """The model card of an evaluator; made from `evaluator.json` where there is none.

    Raises:
        DataError: the folder holds no evaluator.
    """
    if folder is None:
        with as_file(files("assize.evaluator") / "default") as shipped:
            return read_card(shipped)
    place = Path(folder)
    if (place / CARD).is_file():
        return (place / CARD).read_text(encoding="utf-8")
    settings = _settings(place / SETTINGS)
    lines = [f"# {settings['name']}", "", f"Scores: {settings['scores']}.", ""]
    for head in settings["heads"]:
        corpora = ", ".join(head["trained_on"])
        lines.append(f"* `{head['question']['id']}`, trained on {corpora}")
    return "\n".join([*lines, "", f"Signature `{settings['signature']}`."])


def _load(folder: Path, precision: Precision) -> Evaluator:
    settings = _settings(folder / SETTINGS)
    tensors = _unpacked(folder / TENSORS, settings)
    try:
        encoder = _encoder(settings["encoder"], precision, folder)
        if settings["features"] != {
            "version": features.VERSION,
            "blocks": features.widths(encoder.dimension),
        }:
            raise DataError("the features are not those of this version; train it again")
        total = sum(features.widths(encoder.dimension).values())
        scaling = Scaling(*(_vector(tensors, name, total) for name in ("center", "scale")))
        heads = [_head(value, tensors, total) for value in settings["heads"]]
        return Evaluator(
            settings["name"],
            encoder,
            scaling,
            {head.question.id: head for head in heads},
            float(settings["tie"]),
            settings.get("about", {}),
        )
    except DataError as error:
        raise error.at(str(folder), None) from None
    except (KeyError, TypeError, ValueError) as error:
        problem = f"{SETTINGS} is not what it must be ({type(error).__name__}: {error})"
        raise DataError(problem, source=str(folder)) from error


def _settings(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problem = "there is no such file; an evaluator is a folder with this file in it"
        raise DataError(problem, source=str(path)) from None
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read ({error})", source=str(path)) from error
    known = isinstance(value, dict) and value.get("format") == FORMAT
    if not known:
        received = value.get("format") if isinstance(value, dict) else type(value).__name__
        problem = f"format {received!r} of evaluator; this version reads {FORMAT}"
        raise DataError(problem, source=str(path))
    return dict(value)


def _unpacked(path: Path, settings: Mapping[str, Any]) -> _Tensors:
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load as unpack
    except ImportError as error:
        raise MissingExtra("scoring", extra="score", missing="safetensors") from error
    try:
        data = path.read_bytes()
        found: _Tensors = unpack(data)
    except FileNotFoundError:
        raise DataError("there is no such file", source=str(path)) from None
    except (OSError, SafetensorError) as error:
        raise DataError(f"damaged or cut off ({error})", source=str(path)) from error
    if hashlib.sha256(data).hexdigest() != settings.get("sha256"):
        problem = f"not the file that {SETTINGS} was written with; fetch or train both again"
        raise DataError(problem, source=str(path))
    return found


def _encoder(wanted: Mapping[str, Any], precision: Precision, folder: Path) -> Encoder:
    encoder = load_encoder(wanted["encoder"], precision=precision, pooling=wanted["pooling"])
    here = dict(encoder.details)
    differing = [
        name for name in sorted(wanted.keys() | here.keys())
        if name != "precision" and wanted.get(name) != here.get(name)
    ]  # fmt: skip
    if differing:
        shown = ", ".join(
            f"{name} {wanted.get(name)!r} (here {here.get(name)!r})" for name in differing
        )
        raise ConfigError(f"{folder}: the heads were trained on another encoder: {shown}")
    return encoder


def _head(value: Mapping[str, Any], tensors: _Tensors, total: int) -> Head:
    asked = question(value["question"])
    maps = {level: _map(tensors, f"map.{level}.{asked.id}") for level in value["levels"]}
    weight = _vector(tensors, f"weight.{asked.id}", total)
    low, high = float(value["low"]), float(value["high"])
    return Head(asked, weight, maps, low, high, tuple(value["trained_on"]))


def _vector(tensors: _Tensors, name: str, length: int) -> FloatArray:
    if name not in tensors:
        raise DataError(f"{TENSORS} holds no `{name}`")
    found = tensors[name].astype(np.float64)
    if found.shape != (length,) or not np.isfinite(found).all():
        problem = f"{TENSORS}: `{name}` has shape {found.shape} or holds NaN; needed are {length}"
        raise DataError(problem)
    return found


def _map(tensors: _Tensors, name: str) -> MonotoneMap:
    if name not in tensors or tensors[name].ndim != 2 or len(tensors[name]) != 2:
        raise DataError(f"{TENSORS} holds no score map `{name}`")
    return MonotoneMap(*tensors[name].astype(np.float64))

"""The folder an evaluator is kept in: `evaluator.json`, and its arrays beside it.

The manifest says what the numbers mean and which encoder, featuriser and head they belong to;
all three are compared with what is here on loading.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.artefacts import Artefact, Kind, attach, finite, open_artefact
from assize.artefacts import save as keep
from assize.encoders import Encoder, Precision, reopen_encoder
from assize.errors import ConfigError, DataError, MissingExtra, MissingWeights
from assize.evaluator.evaluator import Evaluator, JudgeReliability
from assize.evaluator.features.featuriser import Featuriser, open_featuriser, width
from assize.evaluator.features.views import Level
from assize.evaluator.heads.head import Head, open_head
from assize.evaluator.heads.rating_scale import RatingScale
from assize.evaluator.heads.scored_question import SCORES, MonotoneMap, ScoredQuestion, TieRule
from assize.evaluator.hub import DEFAULT, local_folder
from assize.evaluator.results import ModelCard
from assize.facts import read_as
from assize.formats.records import question, to_json
from assize.results import Estimate
from assize.results import to_json as result_json
from assize.stats.estimate import nullable

SETTINGS, CARD = "evaluator.json", "MODEL_CARD.md"
EVALUATOR = Kind(
    "evaluator",
    manifest=SETTINGS,
    arrays="heads",
    version=2,
    remedy="train it again",
)

_Facts = Mapping[str, Any]


def save(evaluator: Evaluator, folder: Path) -> None:
    """Writes an evaluator; the folder is made, and an earlier evaluator is replaced whole.

    Raises:
        OutputError: the folder cannot be written.
    """
    featuriser, head, encoder = evaluator.featuriser, evaluator.head, evaluator.encoder
    facts = {
        "name": evaluator.name,
        "encoder": {"spec": encoder.name, "details": dict(encoder.details)},
        "features": _features(featuriser, encoder),
        "head": {"kind": head.kind, "settings": dict(head.settings)},
        "scores": SCORES,
        "tie": evaluator.tie,
        "questions": [_described(one) for one in evaluator.scored.values()],
        "about": dict(evaluator.about),
        "reliabilities": result_json(evaluator.reliabilities),
    }
    keep(EVALUATOR, folder, facts, evaluator.arrays(), evaluator.signature)


def save_beside(folder: str | Path, role: str, text: str) -> None:
    """Keeps a text with an evaluator, under a role, in place of an earlier one there.

    Raises:
        DataError: the folder holds no evaluator.
        OutputError: the folder cannot be written.
    """
    attach(open_artefact(EVALUATOR, folder), role, ".json", text.encode())


def text_beside(folder: str | Path, role: str) -> str | None:
    """The text that is kept with an evaluator under a role; None where there is none.

    Raises:
        DataError: the folder holds no evaluator, or the file is missing or damaged.
    """
    found = open_artefact(EVALUATOR, local_folder(folder))
    return found.read(role).decode() if role in found.files else None


def _features(featuriser: Featuriser, encoder: Encoder) -> dict[str, Any]:
    return {
        "featuriser": featuriser.name,
        "settings": dict(featuriser.settings),
        "version": featuriser.version,
        "blocks": dict(featuriser.widths(encoder.dimension)),
    }


def _described(one: ScoredQuestion) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "question": to_json(one.question),
        "low": one.low,
        "high": one.high,
        "trained_on": list(one.trained_on),
        "levels": list(one.maps),
    }
    if (ties := one.ties) is not None:
        facts["ties"] = {
            "threshold": ties.threshold,
            "accuracy": nullable(ties.accuracy),
            "n": ties.n,
        }
    if (scale := one.scale) is not None:
        numbers = {name: nullable(getattr(scale, name)) for name in _SCALE}
        facts["scale"] = numbers | {"n": scale.n}
    return facts


_SCALE = ("low", "high", "error", "constant", "half", "coverage")
"""Figures of a rating scale; `half` is null where it is infinite."""


def load_evaluator(
    folder: str | Path | None = None,
    *,
    precision: Precision | None = None,
    encoder: str | None = None,
) -> Evaluator:
    """The evaluator kept in a folder; the shipped `assize-small-2` when None or `"default"`.

    Args:
        folder: holds `evaluator.json`; or `hub:OWNER/NAME[@REVISION]` on the Hugging Face hub. A
            folder of the name default is `Path("default")`, or `"./default"`.
        precision: of the encoder; None is the one it was trained with. `int8` is faster and
            moves scores a little.
        encoder: your word for an encoder other than minilm, which a folder cannot open by
            itself; the weights must be those that it was trained on.

    Raises:
        DataError: a file is missing, damaged, or does not fit the other.
        ConfigError: the encoder here is not the one that was trained on, or needs your word.
        MissingExtra: a part of the extra `score` is not installed.
        MissingWeights: the encoder's weights are not on this machine.
    """
    if folder is not None and folder != DEFAULT:
        return _load(local_folder(folder), precision, encoder)
    with as_file(files("assize.evaluator") / "default") as shipped:
        return _load(shipped, precision, encoder)


def read_card(folder: str | Path | None = None) -> str:
    """The model card of an evaluator, see `open_card`.

    Raises:
        DataError: the folder holds no evaluator.
    """
    return open_card(folder).text


def open_card(folder: str | Path | None = None) -> ModelCard:
    """The model card of an evaluator; made from `evaluator.json` where there is none.

    Raises:
        DataError: the folder holds no evaluator.
    """
    if folder is None or folder == DEFAULT:
        with as_file(files("assize.evaluator") / "default") as shipped:
            return open_card(shipped)
    place = local_folder(folder)
    found = open_artefact(EVALUATOR, place)
    text = found.text_beside(CARD)
    with found.understood():
        facts = found.facts
        name = read_as(str, facts["name"])
        return ModelCard(name, _told(facts, found) if text is None else text, found.signature)


def _told(facts: _Facts, found: Artefact) -> str:
    lines = [f"# {facts['name']}", "", f"Scores: {facts['scores']}.", ""]
    for one in facts["questions"]:
        lines.append(f"* `{one['question']['id']}`, trained on {', '.join(one['trained_on'])}")
    return "\n".join([*lines, "", f"Signature `{found.signature}`."])


def _load(folder: Path, precision: Precision | None, said: str | None) -> Evaluator:
    found = open_artefact(EVALUATOR, folder)
    arrays = found.arrays()
    try:
        with found.understood():
            return _made(found.facts, arrays, precision, said)
    except (MissingExtra, MissingWeights):  # of the machine, not of the folder
        raise
    except ConfigError as error:
        raise ConfigError(f"{folder}: {error}") from error
    except DataError as error:
        raise error.at(str(folder), None) from None


def _made(
    facts: _Facts,
    arrays: Mapping[str, NDArray[Any]],
    precision: Precision | None,
    said: str | None,
) -> Evaluator:
    wrote = facts["encoder"]
    encoder = reopen_encoder(wrote["details"], wrote["spec"], precision=precision, said=said)
    wanted = facts["features"]
    featuriser = open_featuriser(wanted["featuriser"], wanted["settings"])
    if _features(featuriser, encoder) != wanted:
        raise DataError("the features are not those of this version; train it again")
    name, tie = read_as(str, facts["name"]), float(read_as(float, facts["tie"]))
    about = read_as(Mapping, facts.get("about", {}))
    head, scored = _learnt(facts, arrays, width(featuriser, encoder))
    if tie < 0:
        raise DataError("needs a question that is not of pairs alone, each once, and a tie from 0")
    judges = [_reliability(row) for row in facts.get("reliabilities", [])]
    return Evaluator(name, encoder, featuriser, head, scored, tie, about, judges)


def _reliability(row: _Facts) -> JudgeReliability:
    question, judge = read_as(str, row["question"]), read_as(str, row["judge"])
    alpha, beta = (_estimate(row[name]) for name in ("alpha", "beta"))
    return JudgeReliability(question, judge, alpha, beta, _number(row["agrees"]))


def _estimate(value: _Facts) -> Estimate:
    low, high = value["interval"]
    return Estimate(
        _number(value["estimate"]), (_number(low), _number(high)), read_as(int, value["n"])
    )


def _learnt(
    facts: _Facts, arrays: Mapping[str, NDArray[Any]], wide: int
) -> tuple[Head, dict[str, ScoredQuestion]]:
    """A head, and what its numbers mean."""
    scored = [_scored(one, arrays) for one in facts["questions"]]
    ids = [one.question.id for one in scored]
    by_id = dict(zip(ids, scored, strict=True))
    if not scored or len(by_id) != len(scored) or scored[0].pairs_only:
        raise DataError("needs a question that is not of pairs alone, each once, and a tie from 0")
    kind, settings = facts["head"]["kind"], facts["head"]["settings"]
    return open_head(kind, arrays, ids, settings, wide), by_id


def _scored(value: _Facts, arrays: Mapping[str, NDArray[Any]]) -> ScoredQuestion:
    asked = question(value["question"])
    levels: tuple[Level, ...] = read_as(tuple[Level, ...], value["levels"])
    maps = {level: _map(arrays, f"map.{level}.{asked.id}") for level in levels}
    low, high = (float(read_as(float, value[name])) for name in ("low", "high"))
    if not maps or not 0 <= low <= high <= 1:
        raise DataError(f"{asked.id!r} has no score map, or levels outside 0..1")
    trained_on = read_as(tuple[str, ...], value["trained_on"])
    return ScoredQuestion(
        asked,
        maps,
        low,
        high,
        trained_on,
        _ties(value.get("ties")),
        _rating_scale(value.get("scale"), arrays, asked.id),
    )


def _ties(value: _Facts | None) -> TieRule | None:
    if value is None:
        return None
    accuracy, n = _number(value["accuracy"]), read_as(int, value["n"])
    return TieRule(float(read_as(float, value["threshold"])), accuracy, n)


def _rating_scale(
    value: _Facts | None, arrays: Mapping[str, NDArray[Any]], question: str
) -> RatingScale | None:
    if value is None:
        return None
    name = f"scale.{question}"
    if name not in arrays or arrays[name].ndim != 2 or len(arrays[name]) != 2:
        raise DataError(f"there is no rating scale `{name}`")
    if not finite(arrays[name]):
        raise DataError(f"the rating scale `{name}` holds what is no finite number")
    knots, levels = arrays[name].astype(np.float64)
    low, high, error, constant, half, coverage = (_number(value[one]) for one in _SCALE)
    half = math.inf if math.isnan(half) else half
    n = read_as(int, value["n"])
    return RatingScale(knots, levels, low, high, n, error, constant, half, coverage)


def _number(value: Any) -> float:
    """A number that was kept; NaN for null."""
    return math.nan if value is None else float(read_as(float, value))


def _map(arrays: Mapping[str, NDArray[Any]], name: str) -> MonotoneMap:
    if name not in arrays or arrays[name].ndim != 2 or len(arrays[name]) != 2:
        raise DataError(f"there is no score map `{name}`")
    if not finite(arrays[name]):
        raise DataError(f"the score map `{name}` holds what is no finite number")
    return MonotoneMap(*arrays[name].astype(np.float64))

"""The folder an evaluator is kept in: `evaluator.json`, and its arrays beside it.

The manifest says what the numbers mean and which encoder, featuriser and head they belong to;
all three are compared with what is here on loading.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from assize.base.artefacts import Artefact, Kind, open_artefact
from assize.base.artefacts import save as keep
from assize.base.errors import DataError
from assize.base.record_parts import read_as
from assize.encoders import Encoder, Precision, encoder_facts, reopen_stored
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._features.featuriser import Featuriser, open_featuriser
from assize.evaluator._heads.scored_question import SCORES
from assize.evaluator._hub import DEFAULT, local_folder
from assize.evaluator._results import ModelCard
from assize.judgments.learnt_from import SEEN

SETTINGS, CARD = "evaluator.json", "MODEL_CARD.md"
EVALUATOR = Kind(
    "evaluator",
    manifest=SETTINGS,
    arrays="heads",
    version=3,
    remedy="train it again",
)


def save(evaluator: Evaluator, folder: Path) -> None:
    """Writes an evaluator; the folder is made, and an earlier evaluator is replaced whole.

    Raises:
        OutputError: the folder cannot be written.
    """
    record, arrays = evaluator.parts()
    facts = {
        "encoder": encoder_facts(evaluator.encoder),
        "features": _features(evaluator.featuriser, evaluator.encoder),
        "scores": SCORES,
        "evaluator": record,
    }
    seen = "\n".join(sorted(evaluator.learnt_from)).encode()
    files = {SEEN: (".txt", seen)} if seen else {}
    keep(EVALUATOR, folder, facts, arrays, evaluator.signature, files)


def _features(featuriser: Featuriser, encoder: Encoder) -> dict[str, Any]:
    return {
        "featuriser": featuriser.name,
        "settings": dict(featuriser.settings),
        "version": featuriser.version,
        "blocks": dict(featuriser.widths(encoder.dimension)),
    }


def load_evaluator(
    folder: str | Path | None = None,
    *,
    precision: Precision | None = None,
    encoder: str | None = None,
) -> Evaluator:
    """Load an evaluator from a folder; None or `"default"` is the shipped `assize-small-2`.

    Args:
        folder: folder with `evaluator.json`, or `hub:OWNER/NAME[@REVISION]` on the Hugging Face
            hub. For a folder that is named default give `Path("default")` or `"./default"`.
        precision: of the encoder; None is the one it was trained with. `int8` is faster and moves
            scores a little.
        encoder: encoder to allow if the evaluator was trained with one other than minilm; its
            weights must be those that it was trained with.

    Raises:
        DataError: a file is missing, damaged, or does not fit the other.
        ConfigError: the encoder is not the one that it was trained with, or must be allowed.
        MissingExtra: a part of the extra `score` is not installed.
        MissingWeights: the encoder's weights are not on this machine.
    """
    if folder is not None and folder != DEFAULT:
        return _load(local_folder(folder), precision, encoder)
    return _share_shipped(precision, encoder, os.getpid())


@lru_cache(maxsize=4)
def _share_shipped(precision: Precision | None, encoder: str | None, process: int) -> Evaluator:
    """Return the shipped evaluator, loaded once a process: that takes longer than one score.

    A forked process loads its own, as the encoder's threads do not outlive a fork.
    """
    with as_file(files("assize.evaluator") / "default") as shipped:
        return _load(shipped, precision, encoder)


def open_evaluator(evaluator: Evaluator | str | Path, encoder: str | None = None) -> Evaluator:
    """An evaluator as it is, or the one kept in a folder; see `load_evaluator`."""
    if isinstance(evaluator, Evaluator):
        return evaluator
    return load_evaluator(evaluator, encoder=encoder)


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
        name = read_as(str, found.facts["evaluator"]["name"])
        return ModelCard(name, _describe(found) if text is None else text, found.signature)


def _describe(found: Artefact) -> str:
    evaluator, scores = found.facts["evaluator"], found.facts["scores"]
    lines = [f"# {evaluator['name']}", "", f"Scores: {scores}.", ""]
    for name, scored in evaluator["scored"].items():
        lines.append(f"* `{name}`, trained on {', '.join(scored['trained_on'])}")
    return "\n".join([*lines, "", f"Signature `{found.signature}`."])


def _load(folder: Path, precision: Precision | None, said: str | None) -> Evaluator:
    found = open_artefact(EVALUATOR, folder)
    encoder = reopen_stored(found, precision=precision, word=said)
    with found.understood(DataError):
        facts = found.facts["features"]
        featuriser = open_featuriser(facts["featuriser"], facts["settings"])
        if _features(featuriser, encoder) != facts:
            raise DataError("the features are not those of this version")
        seen = found.read(SEEN).decode("ascii").split() if SEEN in found.files else ()
    own = {"encoder": encoder, "featuriser": featuriser, "learnt_from": frozenset(seen)}
    return found.record(Evaluator, "evaluator", **own)

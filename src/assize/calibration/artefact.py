"""The folder a calibrator is kept in: `calibration.json`, its weights, and its correction.

Nothing of the items or their texts is kept; of a rater, the id and the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from assize import artefacts
from assize.artefacts import Kind, open_artefact
from assize.calibration.calibrator import Calibrator
from assize.calibration.data.features import Block
from assize.calibration.data.forms import Scale
from assize.calibration.kinds import KINDS
from assize.errors import DataError
from assize.formats.records import question, to_json
from assize.signature import sign_arrays

VERSION = 2  # of the weights' meaning: a part of every signature
CORRECTION = "correction"  # the role of what `multicalibration` attaches
KIND = Kind(
    "calibrator",
    "calibration.json",
    "weights",
    version=3,
    older={2: {"weights": "weights.npz", CORRECTION: "correction.json"}},
    remedy="fit it again",
)

_Arrays = dict[str, NDArray[Any]]


def save(calibrator: Calibrator, folder: Path, about: Mapping[str, Any] | None = None) -> str:
    """Writes the folder; an earlier calibrator in it is replaced whole, its correction with it.

    Args:
        about: free facts for the reader: numbers of forms and raters, versions.

    Returns:
        The signature: twelve digits that stand for everything that can change a number.

    Raises:
        OutputError: the folder cannot be written.
    """
    described, arrays = _described(calibrator)
    facts = {
        "target": to_json(calibrator.target.question),
        "raters": list(calibrator.raters),
        "blocks": [asdict(block) for block in calibrator.blocks],
        **described,
        "about": dict(about or {}),
    }
    return artefacts.save(KIND, folder, facts, arrays, signature(calibrator)).signature


def signature(calibrator: Calibrator) -> str:
    """A short hash of what is read, who is known and all weights."""
    described, arrays = _described(calibrator)
    blocks = [asdict(block) for block in calibrator.blocks]
    return sign_arrays(
        [VERSION, calibrator.target.id, calibrator.raters, blocks, described], arrays
    )


def _described(calibrator: Calibrator) -> tuple[dict[str, Any], _Arrays]:
    return KINDS[calibrator.kind].described(calibrator)


def load(folder: str | Path) -> Calibrator:
    """The calibrator kept in a folder.

    Raises:
        DataError: a file is missing, damaged, or does not fit the other.
    """
    found = open_artefact(KIND, folder)
    arrays = found.arrays()
    try:
        return _built(found.facts, arrays)
    except DataError as error:
        raise error.at(str(found.place), None) from None
    except (KeyError, TypeError, ValueError) as error:
        problem = f"not what it must be ({type(error).__name__}: {error}); {KIND.remedy}"
        raise DataError(problem, source=str(found.place)) from error


def _built(settings: Mapping[str, Any], arrays: _Arrays) -> Calibrator:
    target = Scale.of(question(settings["target"]))
    blocks = tuple(
        Block(**{**one, "answers": tuple(one["answers"]), "values": tuple(one["values"])})
        for one in settings["blocks"]
    )
    raters = tuple(settings["raters"])
    if settings["kind"] not in KINDS:
        raise DataError(f"kind {settings['kind']!r} of calibrator is not known")
    return KINDS[settings["kind"]].built(target, blocks, raters, settings, arrays)

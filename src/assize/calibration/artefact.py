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
from assize.artefacts import Artefact, Kind, open_artefact
from assize.calibration.calibrator import Calibrator
from assize.calibration.data.features import Block
from assize.calibration.data.forms import Scale
from assize.calibration.kinds import KINDS
from assize.errors import DataError
from assize.facts import read_as
from assize.formats.records import question, to_json
from assize.signature import sign_arrays

VERSION = 2  # of the weights' meaning: a part of every signature
CORRECTION = "correction"  # the role of what `multicalibration` attaches
KIND = Kind(
    "calibrator",
    "calibration.json",
    "weights",
    version=3,
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
    try:
        with found.understood():
            return _built(found)
    except DataError as error:
        raise error.at(str(found.place), None) from None


def _built(found: Artefact) -> Calibrator:
    facts = found.facts
    target = Scale.of(question(facts["target"]))
    read_as(tuple[float, ...], target.values)
    blocks = read_as(tuple[Block, ...], facts["blocks"])
    raters = read_as(tuple[str, ...], facts["raters"])
    names = [*({one.key for one in blocks}), *set(raters), *set(target.question.answers)]
    if len(names) != len(blocks) + len(raters) + len(target):
        raise ValueError("a block, a rater or an answer stands there twice")
    for one in blocks:
        _check_block(one)
    if facts["kind"] not in KINDS:
        raise DataError(f"kind {facts['kind']!r} of calibrator is not known")
    kind = KINDS[facts["kind"]]
    shapes = None if kind.shapes is None else kind.shapes(target, blocks, raters, facts)
    arrays = found.arrays(shapes)
    return kind.built(target, blocks, raters, facts, arrays)


def _check_block(block: Block) -> None:
    """Numbers for its answers, or columns: several only beside the answers."""
    several = len(set(block.answers)) == len(block.answers) != 1
    sized = block.size == 1 or (block.late and not block.answers and block.size > 1)
    if not several or not sized or len(block.values) != len(block.answers):
        raise ValueError(f"the columns of {block.question!r} by {block.judge!r} do not fit")

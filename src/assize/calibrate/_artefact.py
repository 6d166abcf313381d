"""The folder a calibrator is kept in: `calibration.json`, its weights, and its correction.

Of the items hashes of their ids are kept, and nothing of their texts; of a rater, the id and the
weights.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from assize.base import artefacts
from assize.base.artefacts import Kind, open_artefact
from assize.base.errors import DataError
from assize.base.record_parts import to_parts
from assize.base.signature import sign_arrays
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._kinds import KINDS
from assize.judgments.learnt_from import SEEN

VERSION = 3  # of the weights' meaning: a part of every signature
CORRECTION = "correction"  # the role of what `multicalibration` attaches
KIND = Kind(
    "calibrator",
    "calibration.json",
    "weights",
    version=4,
    remedy="fit it again",
)


def save(
    calibrator: Calibrator,
    folder: Path,
    about: Mapping[str, Any] | None = None,
    seen: Collection[str] = (),
) -> str:
    """Writes the folder; an earlier calibrator in it is replaced whole, its correction with it.

    Args:
        about: free facts for the reader: numbers of forms and raters, versions.
        seen: hashes of the items that it was fitted on.

    Returns:
        The signature: twelve digits that stand for everything that can change a number.

    Raises:
        OutputError: the folder cannot be written.
    """
    record, arrays = to_parts(calibrator)
    facts = {"kind": calibrator.kind, "calibrator": record, "about": dict(about or {})}
    files = {SEEN: (".txt", "\n".join(sorted(seen)).encode())} if seen else {}
    return artefacts.save(KIND, folder, facts, arrays, signature(calibrator), files).signature


def signature(calibrator: Calibrator) -> str:
    """A short hash of what is read, who is known and all weights."""
    record, arrays = to_parts(calibrator)
    return sign_arrays([VERSION, calibrator.kind, record], arrays)


def load(folder: str | Path) -> Calibrator:
    """The calibrator kept in a folder.

    Raises:
        DataError: a file is missing, damaged, or does not fit the other.
    """
    found = open_artefact(KIND, folder)
    with found.understood():
        kind = found.facts["kind"]
        if kind not in KINDS:
            raise DataError(f"kind {kind!r} of calibrator is not known", source=str(found.place))
    calibrator: Calibrator = found.record(KINDS[kind].record, "calibrator")
    return calibrator

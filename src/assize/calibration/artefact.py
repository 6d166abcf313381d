"""The folder a calibrator is kept in: `calibration.json` and `weights.npz`.

The JSON says what the numbers mean, the arrays hold the numbers; nothing is pickled, and
nothing in the folder can run. The JSON holds the hash of the arrays, checked on loading.
Nothing of the items or their texts is kept; of a rater, the id and the weights.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from assize.calibration.calibrator import Calibrator
from assize.calibration.data.features import Block
from assize.calibration.data.forms import Scale
from assize.calibration.kinds import KINDS
from assize.errors import DataError
from assize.formats.files import make_folder, open_output
from assize.formats.records import question, to_json

FORMAT = 2
SETTINGS, WEIGHTS, CORRECTION = "calibration.json", "weights.npz", "correction.json"

_Arrays = dict[str, NDArray[Any]]


def save(calibrator: Calibrator, folder: Path, about: Mapping[str, Any] | None = None) -> str:
    """Writes both files; the folder is made, earlier files are replaced whole, and a correction
    that was learnt for an earlier calibrator is removed.

    Args:
        about: free facts for the reader: numbers of forms and raters, versions.

    Returns:
        The signature: twelve digits that stand for everything that can change a number.

    Raises:
        OutputError: the folder cannot be written.
    """
    described, arrays = _described(calibrator)
    data = _packed(arrays)
    digest = hashlib.sha256(data).hexdigest()
    settings = {
        "format": FORMAT,
        "signature": signature(calibrator),
        "target": to_json(calibrator.target.question),
        "raters": list(calibrator.raters),
        "blocks": [asdict(block) for block in calibrator.blocks],
        **described,
        "about": dict(about or {}),
        "sha256": digest,
    }
    make_folder(folder)
    (folder / CORRECTION).unlink(missing_ok=True)
    with open_output(folder / WEIGHTS) as stream:
        stream.write(data)
    with open_output(folder / SETTINGS) as stream:
        stream.write((json.dumps(settings, indent=1, ensure_ascii=False) + "\n").encode())
    return str(settings["signature"])


def signature(calibrator: Calibrator) -> str:
    """A short hash of what is read, who is known and all weights."""
    described, arrays = _described(calibrator)
    parts = [
        FORMAT,
        calibrator.target.id,
        calibrator.raters,
        [asdict(block) for block in calibrator.blocks],
        described,
    ]
    found = hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=6)
    for name in sorted(arrays):
        found.update(name.encode() + arrays[name].tobytes())
    return found.hexdigest()


def _packed(arrays: Mapping[str, Any]) -> bytes:
    """The same bytes for the same arrays: numpy stamps no time on what it packs."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def _described(calibrator: Calibrator) -> tuple[dict[str, Any], _Arrays]:
    return KINDS[calibrator.kind].described(calibrator)


def load(folder: str | Path) -> Calibrator:
    """The calibrator kept in a folder.

    Raises:
        DataError: a file is missing, damaged, or does not fit the other.
    """
    place = Path(folder)
    settings = _settings(place / SETTINGS)
    arrays = _arrays(place / WEIGHTS, settings)
    try:
        found = _built(settings, arrays)
    except DataError as error:
        raise error.at(str(place / SETTINGS), None) from None
    except (KeyError, TypeError, ValueError) as error:
        problem = f"not what it must be ({type(error).__name__}: {error}); fit it again"
        raise DataError(problem, source=str(place / SETTINGS)) from error
    return found


def _settings(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problem = "there is no such file; a calibrator is a folder with this file in it"
        raise DataError(problem, source=str(path)) from None
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read ({error})", source=str(path)) from error
    received = value.get("format") if isinstance(value, dict) else type(value).__name__
    if received != FORMAT:
        problem = f"format {received!r} of calibrator; this version reads {FORMAT}"
        raise DataError(problem, source=str(path))
    return dict(value)


def _arrays(path: Path, settings: Mapping[str, Any]) -> _Arrays:
    try:
        data = path.read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as packed:
            found = {name: packed[name] for name in packed.files}
    except FileNotFoundError:
        raise DataError("there is no such file", source=str(path)) from None
    except (OSError, ValueError, BadZipFile) as error:
        raise DataError(f"damaged or cut off ({error})", source=str(path)) from error
    if hashlib.sha256(data).hexdigest() != settings.get("sha256"):
        problem = f"not the file that {SETTINGS} was written with; fit it again"
        raise DataError(problem, source=str(path))
    return found


def _built(settings: Mapping[str, Any], arrays: _Arrays) -> Calibrator:
    target = Scale.of(question(settings["target"]))
    blocks = tuple(_block(value) for value in settings["blocks"])
    raters = tuple(settings["raters"])
    if settings["kind"] not in KINDS:
        raise DataError(f"kind {settings['kind']!r} of calibrator is not known")
    return KINDS[settings["kind"]].built(target, blocks, raters, settings, arrays)


def _block(value: Mapping[str, Any]) -> Block:
    answers, values = tuple(value["answers"]), tuple(value["values"])
    return Block(**{**value, "answers": answers, "values": values})

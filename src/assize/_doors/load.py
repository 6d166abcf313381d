"""`assize.load`: whatever has been learnt and kept in a folder."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from assize.base.errors import DataError
from assize.evaluator._hub import DEFAULT, local_folder

LOADERS = {
    "calibration.json": ("calibrator", "assize.calibrate._fitted:load_calibrator"),
    "ensemble.json": ("ensemble", "assize.reference._ensemble.artefact:load_ensemble"),
    "evaluator.json": ("evaluator", "assize.evaluator._artefact:load_evaluator"),
    "tagger.json": ("tagger", "assize.acts._tagger:load_tagger"),
    "criteria.yaml": ("set of criteria", "assize.criteria._reading:criteria_in"),
}
"""By the name of a folder's manifest: what it holds, and what opens it (`module:function`)."""


_YAML = (".yaml", ".yml")  # of criteria, whose file may have any name


def load(folder: str | Path, *, encoder: str | None = None) -> Any:
    """Load a calibrator, ensemble, evaluator, tagger or set of criteria, whichever a folder holds.

    Args:
        folder: folder that `save` wrote, or the manifest in it; a file of criteria; `default` for
            the shipped evaluator; or `hub:OWNER/NAME` for one on the Hugging Face hub.
        encoder: encoder to allow if it was trained with one other than minilm: `hf:PATH-or-id` or
            `openai:NAME`.

    Returns:
        A `FittedCalibrator` (with its correction), an `Ensemble`, an `Evaluator`, a `Tagger`,
        or a `CriteriaSet`.

    Raises:
        DataError: the folder holds none of these, or more than one, or a file is damaged.
        ConfigError: the encoder is not the one that it was trained with, or must be allowed.
        MissingExtra: what the evaluator needs is not installed.
    """
    if folder == DEFAULT:
        return import_module("assize.evaluator._artefact").load_evaluator(DEFAULT, encoder=encoder)
    place = local_folder(folder)
    if place.suffix in _YAML and not place.is_dir():
        return import_module("assize.criteria._reading").load_criteria(str(folder))
    if place.name in LOADERS and place.is_file():
        return _opened(place.parent, place.name, encoder)
    found = [name for name in LOADERS if (place / name).is_file()]
    kinds = [kind for kind, _ in LOADERS.values()]
    allowed = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
    if not place.is_dir():
        raise DataError(f"there is no such folder; give that of a {allowed}", source=str(place))
    if not found:
        raise DataError(
            f"this folder holds no {allowed}: there is none of {', '.join(LOADERS)} in it",
            source=str(place),
        )
    if len(found) > 1:
        problem = f"this folder holds {' and '.join(found)}; name the one that is meant"
        raise DataError(problem, source=str(place))
    return _opened(place, found[0], encoder)


def _opened(place: Path, manifest: str, encoder: str | None) -> Any:
    module, _, function = LOADERS[manifest][1].partition(":")
    return getattr(import_module(module), function)(str(place), encoder=encoder)

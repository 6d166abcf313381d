"""The folder an ensemble is kept in: `ensemble.json`, and its arrays beside it. No pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.artefacts import Artefact, Kind, divides, open_artefact
from assize.artefacts import save as keep
from assize.errors import DataError
from assize.facts import read_as
from assize.formats.records import question, to_json
from assize.reference.ensemble.columns import Source
from assize.reference.ensemble.conformal import Intervals
from assize.reference.ensemble.ensemble import CrossValidated, Ensemble
from assize.reference.ensemble.fitting import Fit, Reading
from assize.reference.ensemble.models.kinds import read_model
from assize.reference.ensemble.sample import Missing
from assize.results import Estimate
from assize.results import to_json as result_json
from assize.results.types import NAN

KIND = Kind(
    "ensemble",
    "ensemble.json",
    "arrays",
    version=1,
    remedy="make one with `assize reference fit --metrics RUN --ratings FILE --question content`",
)


def save_ensemble(ensemble: Ensemble, folder: str | Path) -> None:
    """Writes the folder; an earlier ensemble in it is replaced whole."""
    facts = {
        "question": to_json(ensemble.question),
        "range": None if ensemble.range is None else list(ensemble.range),
        "metrics": list(ensemble.names),
        "sources": [list(one) for one in ensemble.sources],
        "missing": ensemble.on_missing,
        "intervals": _finite(asdict(ensemble.intervals)),
        "model": {"kind": ensemble.fit.model.kind, **ensemble.fit.model.facts()},
        "about": dict(ensemble.about),
        "cross_validated": result_json(ensemble.cross_validated),
    }
    keep(KIND, Path(folder), facts, arrays_of(ensemble), ensemble.signature)


def arrays_of(ensemble: Ensemble) -> dict[str, NDArray[Any]]:
    """All numbers that it predicts with, by name."""
    fit = ensemble.fit
    return {
        **fit.model.arrays(),
        "mean": fit.reading.mean,
        "scale": fit.reading.scale,
        "target": np.array([fit.offset, fit.unit]),
    }


def _finite(value: dict[str, Any]) -> dict[str, Any]:
    """Infinity and NaN, which JSON does not have, as null."""
    return {name: part if np.isfinite(part) else None for name, part in value.items()}


def load_ensemble(folder: str | Path, *, encoder: str | None = None) -> Ensemble:
    """The ensemble in a folder; needs no scikit-learn.

    Args:
        encoder: your word for the encoder of its metrics, where that is another than minilm.

    Raises:
        DataError: there is none, it is damaged, or it was made by another version.
    """
    found = open_artefact(KIND, folder)
    try:
        with found.understood():
            made = _made(found)
    except DataError as error:
        raise error.at(str(found.place), None) from None
    return replace(made, folder=str(folder), encoder=encoder)


def _made(found: Artefact) -> Ensemble:
    facts, arrays = found.facts, found.arrays()
    names = read_as(tuple[str, ...], facts["metrics"])
    sources = read_as(tuple[Source, ...], facts["sources"])
    if not names or len(names) != len(sources) or len(set(names)) < len(names):
        raise DataError("names no metrics, one of them twice, or not the judge of each")
    ends = read_as(tuple[float, float] | None, facts["range"])
    rows = read_as(tuple[dict[str, Any], ...], facts["cross_validated"])
    return Ensemble(
        question(facts["question"]),
        ends,
        names,
        sources,
        _fit(read_as(Mapping, facts["model"]), arrays, len(names)),
        read_as(Missing, facts["missing"]),
        _intervals(facts["intervals"]),
        read_as(Mapping, facts["about"]),
        [_cross_validated(row) for row in rows],
    )


def _cross_validated(row: Mapping[str, Any]) -> CrossValidated:
    def number(value: Any) -> float:
        return NAN if value is None else float(read_as(float, value))

    def estimate(value: Any) -> Estimate:
        low, high = read_as(Mapping, value)["interval"]
        reason = read_as(str | None, value.get("reason"))
        ends = number(low), number(high)
        n, unscored = (read_as(int, value[name]) for name in ("n", "unscored"))
        return Estimate(number(value["estimate"]), ends, n, unscored, reason)

    return CrossValidated(
        read_as(str, row["target"]),
        read_as(str, row["model"]),
        estimate(row["pearson"]),
        estimate(row["spearman"]),
        number(row["pearson_spread"]),
        number(row["spearman_spread"]),
    )


def _fit(facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], m: int) -> Fit:
    mean, scale = (arrays[name].astype(np.float64) for name in ("mean", "scale"))
    if mean.shape != (m,) or scale.shape != (m,) or not divides(scale):
        raise DataError(f"the means and deviations are not those of {m} metrics")
    if not np.isfinite(mean).all() or not np.isfinite(arrays["target"]).all():
        raise DataError("it holds what is no finite number")
    model = read_model(read_as(str, facts["kind"]), facts, arrays, m)
    offset, unit = arrays["target"].astype(np.float64).tolist()
    return Fit(Reading(mean, scale), model, offset, unit)


def _intervals(value: Mapping[str, Any]) -> Intervals:
    def back(part: Any, absent: float) -> float:
        return absent if part is None else float(read_as(float, part))

    return Intervals(
        float(read_as(float, value["confidence"])),
        back(value["width"], float("inf")),
        back(value["coverage"], float("nan")),
    )

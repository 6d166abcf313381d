"""The default calibrator as facts and arrays, for the folder a calibrator is kept in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from numpy.typing import NDArray

from assize.calibration.data.features import Block
from assize.calibration.data.forms import Scale
from assize.calibration.hierarchical.calibrator import Hierarchical
from assize.calibration.hierarchical.design_matrix import Design
from assize.calibration.hierarchical.posterior import Posterior, Variances

_Arrays = dict[str, NDArray[Any]]
_READ = ("center", "scale", "late_center", "late_scale", "axes")


def described(calibrator: Hierarchical) -> tuple[dict[str, Any], _Arrays]:
    """What JSON says of a default calibrator, and its arrays by name; numbers are posteriors'."""
    design = calibrator.design
    arrays: _Arrays = {name: getattr(design, name) for name in _READ}
    posteriors = [*calibrator.posteriors, *filter(None, [calibrator.comparisons])]
    for place, one in enumerate(posteriors):
        arrays |= {f"mean.{place}": one.mean, f"covariance.{place}": one.covariance}
    facts = [
        {"steps": one.steps, "variances": asdict(one.variances), "noise": one.noise}
        for one in posteriors
    ]
    return {
        "kind": "hierarchical",
        "posteriors": facts,
        "choosing": calibrator.comparisons is not None,
        "given": list(calibrator.given),
        "spare": calibrator.spare,
        "applies": list(design.applies),
    }, arrays


def built(
    target: Scale,
    blocks: tuple[Block, ...],
    raters: tuple[str, ...],
    settings: Mapping[str, Any],
    arrays: _Arrays,
) -> Hierarchical:
    """The calibrator of these facts and arrays; raises KeyError or TypeError where one is not
    there or not what it must be."""
    posteriors = [
        Posterior(
            arrays[f"mean.{place}"],
            arrays[f"covariance.{place}"],
            one["steps"],
            Variances(**one["variances"]),
            one["noise"],
        )
        for place, one in enumerate(settings["posteriors"])
    ]
    comparisons = posteriors.pop() if settings["choosing"] else None
    design = Design(applies=tuple(settings["applies"]), **{name: arrays[name] for name in _READ})
    return Hierarchical(
        target,
        blocks,
        raters,
        design,
        tuple(posteriors),
        tuple(settings["given"]),
        float(settings["spare"]),
        comparisons,
    )

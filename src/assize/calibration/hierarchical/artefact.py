"""The default calibrator as facts and arrays, for the folder a calibrator is kept in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise, product
from typing import Any

from numpy.typing import NDArray

from assize.artefacts import Shapes, divides
from assize.calibration.data.features import Block
from assize.calibration.data.forms import Scale
from assize.calibration.hierarchical.calibrator import Hierarchical, Sets
from assize.calibration.hierarchical.design_matrix import WIDEST, Design, is_read
from assize.calibration.hierarchical.posterior import Posterior, Variances
from assize.facts import read_as

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
        {"steps": one.steps, "variances": _variances(one.variances), "noise": one.noise}
        for one in posteriors
    ]
    sets, of_sets = calibrator.sets, {}
    if sets is not None:
        of_sets = {"sets": {"by": sets.by, "names": list(sets.names)}}
        for name, place, one in _in_sets(sets):
            arrays |= {f"mean.{place}.in.{name}": one.mean}
            arrays |= {f"covariance.{place}.in.{name}": one.covariance}
    return {
        "kind": "hierarchical",
        "posteriors": facts,
        "choosing": calibrator.comparisons is not None,
        "given": list(calibrator.given),
        "spare": calibrator.spare,
        "applies": list(design.applies),
        **of_sets,
    }, arrays


def _variances(given: Variances) -> dict[str, float]:
    """Those of sets only where there are sets: without, a calibrator signs as it always has."""
    return {name: v for name, v in asdict(given).items() if v or name not in ("sets", "in_sets")}


def _in_sets(sets: Sets) -> Iterator[tuple[int, int, Posterior]]:
    """Place of the set, place of the posterior, and the posterior."""
    for name, each in enumerate(sets.posteriors):
        for place, one in enumerate(each):
            yield name, place, one


def shapes(
    target: Scale, blocks: tuple[Block, ...], raters: tuple[str, ...], facts: Mapping[str, Any]
) -> Shapes:
    """What these facts make of the arrays.

    Raises:
        KeyError, TypeError, ValueError: the facts do not fit each other.
    """
    posteriors = [read_as(_Posterior, one) for one in facts["posteriors"]]
    given = read_as(tuple[int, ...], facts["given"])
    applies = read_as(tuple[int, ...], facts["applies"])
    answers = len(given) or len(target)
    steps = [answers - 1] if target.ordered else [1] * len(target)
    if read_as(bool, facts["choosing"]):
        steps += [min(2, max(1, posteriors[-1].steps))]
    if [one.steps for one in posteriors] != steps:
        raise ValueError("the posteriors are not those of the target's answers")
    rising = all(a < b for a, b in pairwise((-1, *given, len(target)))) and len(given) != 1
    spare = read_as(float, facts["spare"])
    if not rising or not 0 <= spare * (len(target) - answers) < 1 or spare < 0:
        raise ValueError("the answers that were given are not the target's")
    if any(not 0 <= one < len(blocks) for one in applies):
        raise ValueError("what applies is no block")
    late = [one.width for one in blocks if one.late]
    read = sum(map(is_read, blocks)) + len(applies)
    axes = sum(min(width, WIDEST) for width in late)
    found: dict[str, tuple[int, ...]] = {
        "center": (read,),
        "scale": (read,),
        "late_center": (sum(late),),
        "late_scale": (sum(late),),
        "axes": (sum(late), axes),
    }
    for place, one in enumerate(posteriors):
        size = one.steps + read + axes
        found[f"mean.{place}"] = (len(raters) + 1, size)
        found[f"covariance.{place}"] = (len(raters) + 1, size, size)
    if "sets" in facts:
        names = read_as(_Sets, facts["sets"]).names
        graded = range(len(steps) - read_as(bool, facts["choosing"]))
        for name, place in product(range(len(names)), graded):
            for array in ("mean", "covariance"):
                found[f"{array}.{place}.in.{name}"] = found[f"{array}.{place}"]
    return found


@dataclass(frozen=True, slots=True)
class _Sets:
    """What JSON says of sets."""

    by: str
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names) or not self.names:
            raise ValueError("a set stands there twice, or there is none")


@dataclass(frozen=True, slots=True)
class _Posterior:
    """What JSON says of a posterior."""

    steps: int
    variances: Variances
    noise: float

    def __post_init__(self) -> None:
        if self.noise < 0 or min(asdict(self.variances).values()) < 0:
            raise ValueError("a variance is below 0")


def built(
    target: Scale,
    blocks: tuple[Block, ...],
    raters: tuple[str, ...],
    settings: Mapping[str, Any],
    arrays: _Arrays,
) -> Hierarchical:
    """The calibrator of facts and arrays that fit, see `shapes`.

    Raises:
        ValueError: a scale is no positive number.
    """
    if not all(divides(arrays[name]) for name in ("scale", "late_scale")):
        raise ValueError("a scale is not above 0")

    def posterior(name: str, one: Mapping[str, Any]) -> Posterior:
        variances = Variances(**one["variances"])
        mean, covariance = arrays[f"mean.{name}"], arrays[f"covariance.{name}"]
        return Posterior(mean, covariance, one["steps"], variances, one["noise"])

    facts = settings["posteriors"]
    posteriors = [posterior(str(place), one) for place, one in enumerate(facts)]
    comparisons = posteriors.pop() if settings["choosing"] else None
    sets = None
    if "sets" in settings:
        said = read_as(_Sets, settings["sets"])
        each = [
            tuple(posterior(f"{p}.in.{n}", facts[p]) for p in range(len(posteriors)))
            for n in range(len(said.names))
        ]
        sets = Sets(said.by, said.names, tuple(each))
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
        sets,
    )

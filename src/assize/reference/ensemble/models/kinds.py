"""Models as they are kept, and as they are read back: numbers that are checked, and no code.

To add a kind of model, write it in a file beside this one, and add its reader to `READERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.facts import read_as
from assize.reference.ensemble.models.blend import Blend
from assize.reference.ensemble.models.kernel import Kernel
from assize.reference.ensemble.models.linear import Linear
from assize.reference.ensemble.models.model import Model
from assize.reference.ensemble.models.trees import Trees

Arrays = Mapping[str, NDArray[Any]]
NAMES: Mapping[str, tuple[str, ...]] = {
    "linear": ("coefficients", "intercept"),
    "kernel": ("vectors", "weights", "ends"),
    "trees": ("roots", "feature", "threshold", "left", "right", "value"),
}


def read_model(kind: str, facts: Mapping[str, Any], arrays: Arrays, metrics: int) -> Model:
    """The model that wrote these; raises ValueError, KeyError or TypeError where none did."""
    if kind != "blend":
        _shaped(kind, arrays, metrics)
        return READERS[kind](arrays, metrics)
    kinds = read_as(tuple[str, ...], facts["members"])
    shares = read_as(tuple[float, ...], facts["shares"])
    if not kinds or len(kinds) != len(shares):
        raise ValueError("a blend needs a share for each of its members")
    members = []
    for at, one in enumerate(kinds):
        own = {name: arrays[f"{at}.{name}"] for name in NAMES[one]}
        members.append(read_model(one, {}, own, metrics))
    return Blend(tuple(members), shares)


def _shaped(kind: str, arrays: Arrays, metrics: int) -> None:
    """That all numbers are finite and each array is as long as its fellows."""
    odd = [name for name in NAMES[kind] if not np.isfinite(arrays[name]).all()]
    if odd:
        raise ValueError(f"array {odd[0]!r} holds what is no finite number")
    wide = {"linear": "coefficients", "kernel": "vectors"}.get(kind)
    if wide is not None and arrays[wide].shape[-1] != metrics:
        raise ValueError(f"its model reads {arrays[wide].shape[-1]} metrics, not {metrics}")
    if kind == "kernel" and len(arrays["vectors"]) != len(arrays["weights"]):
        raise ValueError("support vectors and weights differ in number")
    nodes = {len(arrays[name]) for name in NAMES["trees"][1:]} if kind == "trees" else {0}
    if len(nodes) > 1:
        raise ValueError("its trees' arrays differ in length")


def _linear(arrays: Arrays, metrics: int) -> Model:
    return Linear(arrays["coefficients"].astype(np.float64), float(arrays["intercept"][0]))


def _kernel(arrays: Arrays, metrics: int) -> Model:
    width, intercept = arrays["ends"].astype(np.float64).tolist()
    vectors, weights = (arrays[name].astype(np.float64) for name in ("vectors", "weights"))
    return Kernel(vectors, weights, width, intercept)


READERS: Mapping[str, Callable[[Arrays, int], Model]] = {
    "linear": _linear,
    "kernel": _kernel,
    "trees": Trees.of_arrays,
}

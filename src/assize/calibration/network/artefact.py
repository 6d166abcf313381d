"""Published networks as facts and arrays, for the folder a calibrator is kept in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.calibration.data.features import Block
from assize.calibration.data.forms import Scale
from assize.calibration.network.calibrator import Networks
from assize.calibration.network.inputs import EmbeddedBlock, Inputs
from assize.calibration.network.layers import Shape
from assize.calibration.network.settings import Setting
from assize.calibration.network.trained_network import Network

_Arrays = dict[str, NDArray[Any]]
LAYERS = range(3)
SIZES = ("vector_sizes", "codes")  # a field of `Shape`, and its name in the folder


def described(calibrator: Networks) -> tuple[dict[str, Any], _Arrays]:
    """What JSON says of networks, and their arrays by name; numbers stand for network, layer."""
    first = calibrator.networks[0]
    arrays: _Arrays = {f"code.{n}": one for n, one in enumerate(first.vectors)}
    arrays |= {f"read.{n}": one.matrix for n, one in enumerate(first.inputs.embedded)}
    if len(first.inputs.late):
        arrays["late"] = first.inputs.late
    for place, network in enumerate(calibrator.networks):
        arrays |= _weights(place, network)
    facts: dict[str, Any] = {"kind": "network", "networks": len(calibrator.networks)}
    facts |= {"setting": asdict(first.setting), "shape": _renamed(asdict(first.shape), *SIZES)}
    facts |= {"coded": [[one.start, one.stop] for one in first.inputs.embedded]}
    return facts | {"thinned": first.inputs.thinned}, arrays


def _weights(place: int, network: Network) -> _Arrays:
    arrays: _Arrays = {f"fill.{place}": network.inputs.fill}
    if len(network.inputs.late):
        arrays[f"scale.{place}"] = network.inputs.scale
    for layer, (shared, own) in enumerate(zip(network.shared, network.own, strict=True)):
        arrays[f"shared.{place}.{layer}"] = shared
        if own is not None:
            arrays[f"own.{place}.{layer}"] = own
    return arrays | {f"bias.{place}.{n}": bias for n, bias in enumerate(network.bias)}


def built(
    target: Scale,
    blocks: tuple[Block, ...],
    raters: tuple[str, ...],
    facts: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> Networks:
    """The networks of `described`; raises KeyError or TypeError where something is not there."""
    found = tuple(_network(place, facts, arrays) for place in range(facts["networks"]))
    return Networks(target, blocks, raters, found)


def _network(place: int, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Network:
    late = arrays.get("late", np.array([], dtype=np.int64))
    embedded = tuple(
        EmbeddedBlock(start, stop, arrays[f"read.{n}"])
        for n, (start, stop) in enumerate(facts["coded"])
    )
    scale = arrays[f"scale.{place}"] if len(late) else np.array([])
    inputs = Inputs(arrays[f"fill.{place}"], late, scale, embedded, facts["thinned"])
    shape = Shape(**_renamed(_tuples(facts["shape"]), *reversed(SIZES)))
    questions = range(len(shape.embedded))
    return Network(
        Setting(**_tuples(facts["setting"])),
        shape,
        tuple(arrays[f"shared.{place}.{layer}"] for layer in LAYERS),
        tuple(arrays.get(f"own.{place}.{layer}") for layer in LAYERS),
        inputs,
        tuple(arrays[f"code.{n}"] for n in questions),
        tuple(arrays[f"bias.{place}.{n}"] for n in questions),
    )


def _renamed(value: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    return {new if name == old else name: one for name, one in value.items()}


def _tuples(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(one) if isinstance(one, list) else one for name, one in value.items()}

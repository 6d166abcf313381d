"""Published networks as facts and arrays, for the folder a calibrator is kept in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.artefacts import Shapes, divides
from assize.calibration.data.features import Block
from assize.calibration.data.forms import Scale
from assize.calibration.network.calibrator import Networks
from assize.calibration.network.inputs import EmbeddedBlock, Inputs, marked_blocks
from assize.calibration.network.layers import Shape
from assize.calibration.network.settings import Setting
from assize.calibration.network.trained_network import Network
from assize.facts import read_as

_Arrays = dict[str, NDArray[Any]]
LAYERS = range(3)
MOST = 10_000  # networks that are averaged


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
    facts |= {"setting": asdict(first.setting), "shape": asdict(first.shape)}
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


def shapes(
    target: Scale, blocks: tuple[Block, ...], raters: tuple[str, ...], facts: Mapping[str, Any]
) -> Shapes:
    """What these facts make of the arrays.

    Raises:
        KeyError, TypeError, ValueError: the facts do not fit each other.
    """
    shape, coded, networks = _shape(facts), _coded(facts), read_as(int, facts["networks"])
    read = sum(block.width for block in blocks)
    late = sum(block.width for block in blocks if block.late)
    if shape.answers[0] != len(target) or shape.raters not in (0, len(raters)):
        raise ValueError("the networks' sizes are not those of the target and its raters")
    if not 1 <= networks <= MOST or (any(shape.personal) and shape.raters != len(raters)):
        raise ValueError(f"{networks} networks of {shape.raters} raters")
    ends = [0, *(place for one in coded for place in one), read]
    if any(a > b for a, b in pairwise(ends)) or any(start == stop for start, stop in coded):
        raise ValueError("the columns that are read through vectors are none")
    found: dict[str, tuple[int | None, ...]] = {
        f"read.{n}": (stop - start, None) for n, (start, stop) in enumerate(coded)
    }
    if late:
        found["late"] = (late,)
    found |= {
        f"code.{n}": (shape.answers[one], shape.vector_sizes[one])
        for n, one in enumerate(shape.embedded)
    }
    for place in range(networks):
        found[f"fill.{place}"] = (read,)
        if late:
            found[f"scale.{place}"] = (late,)
        for layer, (a, b) in enumerate(shape.layers):
            found[f"shared.{place}.{layer}"] = (a, b)
            if shape.personal[layer]:
                found[f"own.{place}.{layer}"] = (len(raters), a, b)
        for n, one in enumerate(shape.embedded):
            found[f"bias.{place}.{n}"] = (shape.answers[one],)
    return found


def _shape(facts: Mapping[str, Any]) -> Shape:
    shape: Shape = read_as(Shape, facts["shape"])
    setting: Setting = read_as(Setting, facts["setting"])
    vectors = shape.vector_sizes or (0,) * len(shape.answers)
    sizes = (shape.inputs, shape.hidden1, shape.hidden2, *shape.answers)
    if min(sizes) < 1 or min(shape.raters, *vectors) < 0 or len(vectors) != len(shape.answers):
        raise ValueError("the networks have sizes below 1")
    made = (setting.hidden1, setting.hidden2, setting.personal)
    if made != (shape.hidden1, shape.hidden2, shape.personal) or setting.head != "distribution":
        raise ValueError("the networks' sizes are not those of their setting")
    return shape


def _coded(facts: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    coded: tuple[tuple[int, int], ...] = read_as(tuple[tuple[int, int], ...], facts["coded"])
    return coded


def built(
    target: Scale,
    blocks: tuple[Block, ...],
    raters: tuple[str, ...],
    facts: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> Networks:
    """The networks of facts and arrays that fit, see `shapes`.

    Raises:
        ValueError: they do not read the blocks' columns.
    """
    found = tuple(_network(place, blocks, facts, arrays) for place in range(facts["networks"]))
    columns = np.repeat([block.late for block in blocks], [block.width for block in blocks])
    for one in found:
        if not np.array_equal(one.inputs.late, np.flatnonzero(columns)):
            raise ValueError("the late columns are not the blocks'")
        if len(one.inputs) != one.shape.inputs or not divides(one.inputs.scale):
            raise ValueError("the inputs are not the network's, or a scale is not above 0")
    return Networks(target, blocks, raters, found)


def _network(
    place: int,
    blocks: tuple[Block, ...],
    facts: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> Network:
    setting: Setting = read_as(Setting, facts["setting"])
    late = arrays.get("late", np.array([])).astype(np.int64)
    embedded = tuple(
        EmbeddedBlock(start, stop, arrays[f"read.{n}"])
        for n, (start, stop) in enumerate(_coded(facts))
    )
    scale = arrays[f"scale.{place}"] if len(late) else np.array([])
    thinned = read_as(bool, facts["thinned"])
    marked = marked_blocks(blocks) if setting.mask else ()
    inputs = Inputs(arrays[f"fill.{place}"], late, scale, embedded, thinned, marked)
    shape = _shape(facts)
    questions = range(len(shape.embedded))
    return Network(
        setting,
        shape,
        tuple(arrays[f"shared.{place}.{layer}"] for layer in LAYERS),
        tuple(arrays.get(f"own.{place}.{layer}") for layer in LAYERS),
        inputs,
        tuple(arrays[f"code.{n}"] for n in questions),
        tuple(arrays[f"bias.{place}.{n}"] for n in questions),
    )

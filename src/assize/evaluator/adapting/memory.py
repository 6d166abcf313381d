"""How an adapted evaluator keeps where it came from: facts in its manifest, arrays beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.errors import DataError
from assize.evaluator.adapting.labels import Labels
from assize.evaluator.heads.head import finite
from assize.facts import read_as

Facts = Mapping[str, Any]
Arrays = Mapping[str, NDArray[Any]]

_FACTS = ("question", "paired", "by", "natural")


def labels_kept(labels: Sequence[Labels]) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Facts and arrays of labels, in their order."""
    facts: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for place, one in enumerate(labels):
        told: dict[str, Any] = {name: getattr(one, name) for name in _FACTS}
        told |= {"keys": list(one.keys), "groups": list(one.groups)}
        told["ends"] = None if one.ends is None else list(one.ends)
        facts.append(told)
        arrays[f"labels.{place}.targets"] = one.targets.astype(np.float64)
        arrays[f"labels.{place}.features"] = _without_nan(one.features)
        arrays[f"labels.{place}.missing"] = np.packbits(np.isnan(one.features).reshape(-1))
        arrays[f"labels.{place}.raw"] = one.raw.astype(np.float32)
        arrays[f"labels.{place}.turn"] = np.array(one.turn, dtype=np.uint8)
    return facts, arrays


def _without_nan(features: NDArray[Any]) -> NDArray[np.float32]:
    return np.asarray(np.nan_to_num(features, nan=0.0), np.float32)


def labels_of(facts: Sequence[Facts], arrays: Arrays, width: int, heads: int) -> list[Labels]:
    """The labels that were kept as these.

    Raises:
        DataError: an array is missing, of another shape, or holds what is no finite number.
    """
    return [_one(one, arrays, f"labels.{place}", width, heads) for place, one in enumerate(facts)]


def _one(facts: Facts, arrays: Arrays, name: str, width: int, heads: int) -> Labels:
    keys, groups = (read_as(tuple[str, ...], facts[one]) for one in ("keys", "groups"))
    n, paired = len(keys), read_as(bool, facts["paired"])
    if len(groups) != n or not n:
        raise DataError(f"`{name}` has {n} labels of {len(groups)} groups")
    sides = (2,) if paired else ()
    features = finite(arrays, f"{name}.features", n, *sides, width)
    packed = arrays.get(f"{name}.missing")
    if packed is None or packed.dtype != np.uint8 or packed.size != -(-features.size // 8):
        raise DataError(f"there is no array `{name}.missing` of the features' size")
    missing = np.unpackbits(packed, count=features.size).astype(bool).reshape(features.shape)
    features[missing] = np.nan
    ends = facts["ends"]
    return Labels(
        read_as(str, facts["question"]),
        keys,
        groups,
        finite(arrays, f"{name}.targets", n),
        features,
        finite(arrays, f"{name}.raw", n, *sides, heads),
        paired,
        read_as(str, facts["by"]),
        read_as(bool, facts["natural"]),
        None if ends is None else read_as(tuple[float, float], tuple(ends)),
        tuple(bool(one) for one in finite(arrays, f"{name}.turn", n)),
    )

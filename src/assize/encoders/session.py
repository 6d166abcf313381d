"""An onnxruntime session from a graph without weights and a safetensors file.

The graph is package data, made by `scripts/build_encoder_graph.py`. Each weight it
needs is named after the tensors it is made of: `a+b` joins tensors along their first
axis, `T:` then transposes, `Q:` gives the transposed matrix in integers and `S:` the
scale of each of its columns.
"""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError, MissingExtra
from assize.base.privacy import no_telemetry
from assize.encoders.encoder import Precision

TOP = 63  # largest code of a weight: without VNNI, two products are added in 16 bits


def open_session(weights: Path, precision: Precision, threads: int | None) -> Any:
    """The session of `minilm-{precision}.onnx` with the tensors of `weights`."""
    from safetensors import safe_open

    no_telemetry()
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtra("encoding", extra="score", missing=str(error.name)) from error
    data = files("assize.encoders") / "data"
    names: list[str] = json.loads((data / "minilm.json").read_text())[precision]
    with safe_open(str(weights), "np") as tensors:
        try:
            arrays = [weight(name, tensors.get_tensor) for name in names]
        except Exception as error:
            raise DataError(
                f"lacks a tensor of the encoder ({error})", source=str(weights)
            ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = cores() if threads is None else threads
    # Threads that wait in a loop slow everything down where others use the cores too.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    # The session copies the values, so the arrays may go once it stands.
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in arrays]
    options.add_external_initializers(names, values)
    graph = (data / f"minilm-{precision}.onnx").read_bytes()
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def weight(name: str, tensor: Any) -> NDArray[Any]:
    """The array that an initialiser of the graph stands for.

    >>> weight("T:a+b", {"a": np.eye(2), "b": np.ones((1, 2))}.get)
    array([[1., 0., 1.],
           [0., 1., 1.]])
    """
    kind, _, source = name.rpartition(":")
    joined = np.concatenate([tensor(one) for one in source.split("+")])
    if kind == "":
        return joined
    if kind == "T":
        return np.ascontiguousarray(joined.T)
    codes, scales = quantised(joined)
    return codes if kind == "Q" else scales


def quantised(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A weight (N, K) in integers: `codes` (K, N) * `scales` (N,) is its transpose to half a scale.

    Codes stay within -63..63, because processors without VNNI add two products of an 8-bit input
    and an 8-bit weight in 16 bits, which larger codes would overflow. So the same text has the same
    vector on all of them.
    """
    scales = np.abs(matrix).max(axis=1) / np.float32(TOP)
    scales[scales == 0] = 1
    codes = np.rint(matrix / scales[:, None]).astype(np.int8)
    return np.ascontiguousarray(codes.T), scales

"""An onnxruntime session from a graph without weights and a safetensors file.

The graph is package data, made by `scripts/build_encoder_graph.py`. Each weight it
needs is named after the tensors it is made of: `a+b` joins tensors along their first
axis, `T:` then transposes, `Q:` gives the 8-bit integers of the rows cut into blocks of
32, and `S:` one scale a block.
"""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.encoders.encoder import Precision
from assize.errors import DataError, MissingExtra

BLOCK = 32
ZERO = 128  # the 8-bit code of 0


def open_session(weights: Path, precision: Precision, threads: int | None) -> Any:
    """The session of `minilm-{precision}.onnx` with the tensors of `weights`.

    Args:
        weights: the safetensors file.
        precision: "fp32" or "int8".
        threads: how many threads one run uses; None takes the cores this process may use.

    Raises:
        MissingExtra: onnxruntime or safetensors is not installed.
        DataError: the file lacks a tensor.
    """
    try:
        import onnxruntime
        from safetensors import safe_open
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
    options.log_severity_level = 3
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

    Args:
        name: as in the graph, see the top of this file.
        tensor: gives the file's tensor of a name.

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


def quantised(matrix: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A matrix in 8 bits: `(codes - 128) * scales` gives it back to half a scale.

    Args:
        matrix: (columns N, inputs K), K a multiple of 32.

    Returns:
        Codes 1..255 of shape (N, K/32, 32) and scales (N * K/32,); a block of zeros has
        the scale 1.
    """
    blocks = matrix.reshape(len(matrix), -1, BLOCK)
    scales = np.abs(blocks).max(axis=2, keepdims=True) / np.float32(127)
    scales[scales == 0] = 1
    codes = (np.rint(blocks / scales) + ZERO).astype(np.uint8)
    return codes, scales.reshape(-1)

from __future__ import annotations

import gc
import importlib.util
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from assize.base.errors import DataError
from assize.encoders.encoder import Floats, Precision
from assize.encoders.minilm import MiniLM
from assize.encoders.session import TOP, open_session, quantised

DATA = files("assize.encoders") / "data"
BUILDER = Path(__file__).parents[2] / "scripts" / "build_encoder_graph.py"


@given(
    arrays.arrays(np.float32, (3, 8), elements=st.floats(-10, 10, width=32, allow_subnormal=False))
)
def test_a_quantised_matrix_is_within_half_a_step(matrix: Floats) -> None:
    codes, scales = quantised(matrix)
    assert np.abs(codes).max() <= TOP
    assert (np.abs(codes * scales - matrix.T) <= scales * 0.50001).all()


def test_the_largest_weight_of_an_output_has_the_largest_code() -> None:
    # 6.3 / 63 = 0.1 a step: 6.3 is 63 steps, -1.26 is -12.6, rounded to -13; zeros stay.
    codes, scales = quantised(np.array([[6.3, -1.26], [0, 0]], np.float32))
    assert codes.tolist() == [[63, 0], [-13, 0]]
    np.testing.assert_allclose(scales, [0.1, 1])


def test_the_graphs_hold_no_weights() -> None:
    for precision in ("fp32", "int8"):
        assert len((DATA / f"minilm-{precision}.onnx").read_bytes()) < 64_000


def test_a_file_without_the_tensors_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"something": np.zeros(3, np.float32)}, tmp_path / "model.safetensors")
    with pytest.raises(DataError, match="lacks a tensor of the encoder"):
        open_session(tmp_path / "model.safetensors", "fp32", 1)


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_a_session_owns_its_weights(precision: Precision, wheel: Path) -> None:
    encoder = MiniLM(precision=precision)
    before = encoder.encode(["the arrays that it was made from may go"]).vectors
    gc.collect()
    _fill = [np.full(2_000_000, 7.0, np.float32) for _ in range(10)]
    np.testing.assert_array_equal(
        before, encoder.encode(["the arrays that it was made from may go"]).vectors
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_the_number_of_threads_is_handed_on(threads: int, wheel: Path) -> None:
    encoder = MiniLM(threads=threads)
    assert encoder._session.get_session_options().intra_op_num_threads == threads


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_the_committed_graph_is_what_the_script_builds(precision: str) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is only needed to build the graph anew")
    spec: Any = importlib.util.spec_from_file_location("build_encoder_graph", BUILDER)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    committed = onnx.load_from_string((DATA / f"minilm-{precision}.onnx").read_bytes())
    built = script.build(precision)
    assert built.graph == committed.graph
    names = json.loads((DATA / "minilm.json").read_text())[precision]
    assert set(names) <= {one.name for one in built.graph.initializer}

"""Build the graph of the embedded encoder: the computation, without a single weight.

    pip install onnx && python scripts/build_encoder_graph.py

all-MiniLM-L6-v2 is a BERT of 6 layers, 12 heads and 384 dimensions. Every weight is an
external initialiser that `assize.encoders.session` hands to onnxruntime from the pinned
safetensors file. An initialiser's name says how it is made from that file's tensors:
`T:` transposes, `a+b` joins along the last axis (after transposing), so that the
query, key and value projections are one matrix product.

The outputs are `hidden.0`, the embeddings, to `hidden.6`, the last layer.

The int8 graph differs in its four matrix products a layer. Their weights are 8-bit with
one scale for each output (`Q:` and `S:`), and their inputs are rounded to 8 bits with a
scale for each token, not one for the batch as onnxruntime's own dynamic quantisation
has it, so that a text's vector does not depend on its neighbours in the batch.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx
from onnx import TensorProto, helper

LAYERS, HEADS, HIDDEN, INNER = 6, 12, 384, 1536  # the model's config.json
WORDS, POSITIONS, KINDS, EPSILON = 30522, 512, 2, 1e-12
CONTRIB = "com.microsoft"  # onnxruntime's own fused operators
FOLDER = Path(__file__).parents[1] / "src" / "assize" / "encoders" / "data"


class Graph:
    """Nodes and external initialisers, collected in the order of computation."""

    def __init__(self, precision: str) -> None:
        self.precision = precision
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: dict[str, onnx.TensorProto] = {}

    def weight(self, name: str, shape: Sequence[int], kind: int = TensorProto.FLOAT) -> str:
        """Declare an initialiser that is filled at run time."""
        tensor = TensorProto(name=name, data_type=kind, dims=shape)
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="model.safetensors")
        self.initializers[name] = tensor
        return name

    def constant(self, name: str, kind: int, shape: Sequence[int], values: Sequence[float]) -> str:
        """A small array that stands in the graph itself."""
        self.initializers[name] = helper.make_tensor(name, kind, shape, values)
        return name

    def add(
        self, op: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: Any
    ) -> str:
        """Append one node and return the name of its output."""
        self.nodes.append(
            helper.make_node(op, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output

    def product(self, source: str, weight: str, rows: int, columns: int, output: str) -> str:
        """`source` times the transpose of the (columns, rows) tensors named by `weight`."""
        if self.precision == "fp32":
            return self.add("MatMul", [source, self.weight(f"T:{weight}", [rows, columns])], output)
        codes = self.weight(f"Q:{weight}", [rows, columns], TensorProto.INT8)
        scales = self.weight(f"S:{weight}", [columns])
        rounded, step = self.rounded(source, output)
        one, zero = self.constants()
        operands = [rounded, codes, one, scales, zero]
        self.add("MatMulIntegerToFloat", operands, f"{output}.steps", CONTRIB)
        return self.add("Mul", [f"{output}.steps", step], output)

    def rounded(self, source: str, out: str) -> tuple[str, str]:
        """`source` as 8-bit codes, and the step of each token: its largest value is 127 steps."""
        one, zero = self.constants()
        last = self.constant("last_axis", TensorProto.INT64, [1], [-1])
        least = self.constant("least", TensorProto.FLOAT, [], [1e-12])
        share = self.constant("share", TensorProto.FLOAT, [], [1 / 127])
        self.add("Abs", [source], f"{out}.sizes")
        self.add("ReduceMax", [f"{out}.sizes", last], f"{out}.largest", keepdims=1)
        self.add("Max", [f"{out}.largest", least], f"{out}.range")
        step = self.add("Mul", [f"{out}.range", share], f"{out}.step")
        self.add("Div", [source, step], f"{out}.scaled")
        return self.add("QuantizeLinear", [f"{out}.scaled", one, zero], f"{out}.codes"), step

    def constants(self) -> tuple[str, str]:
        """The scale 1, and the code 128 of zero."""
        return (
            self.constant("unit", TensorProto.FLOAT, [], [1.0]),
            self.constant("zero_code", TensorProto.UINT8, [], [128]),
        )


def build(precision: str) -> onnx.ModelProto:
    """The whole model for "fp32" or "int8"."""
    graph = Graph(precision)
    states = embeddings(graph)
    graph.add("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    for layer in range(LAYERS):
        states = block(graph, layer, states)
    batch: list[str | int] = ["texts", "tokens"]
    whole = helper.make_graph(
        graph.nodes,
        f"all-MiniLM-L6-v2 {precision}",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, batch),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, batch),
        ],
        [
            helper.make_tensor_value_info(f"hidden.{layer}", TensorProto.FLOAT, [*batch, HIDDEN])
            for layer in range(LAYERS + 1)
        ],
        list(graph.initializers.values()),
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid(CONTRIB, 1)]
    return helper.make_model(whole, opset_imports=opsets, ir_version=9, producer_name="assize")


def embeddings(graph: Graph) -> str:
    """Word, position and segment embeddings, normalised; one segment is all there is."""
    words = graph.weight("embeddings.word_embeddings.weight", [WORDS, HIDDEN])
    positions = graph.weight("embeddings.position_embeddings.weight", [POSITIONS, HIDDEN])
    kinds = graph.weight("embeddings.token_type_embeddings.weight", [KINDS, HIDDEN])
    zero = graph.constant("zero", TensorProto.INT64, [1], [0])
    one = graph.constant("one", TensorProto.INT64, [1], [1])
    graph.add("Gather", [words, "input_ids"], "words")
    graph.add("Shape", ["input_ids"], "length", start=1, end=2)
    graph.add("Slice", [positions, zero, "length", zero], "positions")
    graph.add("Slice", [kinds, zero, one, zero], "kind")
    graph.add("Add", ["positions", "kind"], "places")
    graph.add("Add", ["words", "places"], "embedded")
    scale, shift = norm(graph, "embeddings.LayerNorm")
    return graph.add(
        "LayerNormalization", ["embedded", scale, shift], "hidden.0", axis=-1, epsilon=EPSILON
    )


def block(graph: Graph, layer: int, states: str) -> str:
    """One transformer layer: attention, then the two dense layers, each added and normalised."""
    at, out = f"encoder.layer.{layer}", f"layer{layer}"
    parts = [f"{at}.attention.self.{part}" for part in ("query", "key", "value")]
    joined = "+".join(f"{part}.bias" for part in parts)
    attended = attention(graph, states, "+".join(f"{p}.weight" for p in parts), joined, out)
    attended = graph.product(
        attended, f"{at}.attention.output.dense.weight", HIDDEN, HIDDEN, f"{out}.projected"
    )
    states = skip(graph, attended, states, f"{at}.attention.output", f"{out}.attention")
    inner = graph.product(states, f"{at}.intermediate.dense.weight", HIDDEN, INNER, f"{out}.inner")
    bias = graph.weight(f"{at}.intermediate.dense.bias", [INNER])
    inner = graph.add("BiasGelu", [inner, bias], f"{out}.gelu", CONTRIB)
    outer = graph.product(inner, f"{at}.output.dense.weight", INNER, HIDDEN, f"{out}.outer")
    return skip(graph, outer, states, f"{at}.output", f"hidden.{layer + 1}")


def attention(graph: Graph, states: str, weight: str, bias: str, out: str) -> str:
    """Multi-head attention over the unmasked positions."""
    shift = graph.weight(bias, [3 * HIDDEN])
    if graph.precision == "fp32":
        merged = graph.weight(f"T:{weight}", [HIDDEN, 3 * HIDDEN])
        inputs = [states, merged, shift, "mask"]
        return graph.add("Attention", inputs, f"{out}.attended", CONTRIB, num_heads=HEADS)
    projected = graph.product(states, weight, HIDDEN, 3 * HIDDEN, f"{out}.qkv")
    parts = [f"{out}.{part}" for part in ("query", "key", "value")]
    graph.nodes.append(
        helper.make_node("Split", [projected], parts, name=f"{out}.split", axis=-1, num_outputs=3)
    )
    inputs = [*parts, shift, "mask"]
    return graph.add("MultiHeadAttention", inputs, f"{out}.attended", CONTRIB, num_heads=HEADS)


def skip(graph: Graph, new: str, old: str, at: str, out: str) -> str:
    """Add the dense layer's bias and the layer's input, then normalise."""
    scale, shift = norm(graph, f"{at}.LayerNorm")
    bias = graph.weight(f"{at}.dense.bias", [HIDDEN])
    inputs = [new, old, scale, shift, bias]
    return graph.add("SkipLayerNormalization", inputs, out, CONTRIB, epsilon=EPSILON)


def norm(graph: Graph, at: str) -> tuple[str, str]:
    """The scale and shift of a layer normalisation."""
    return graph.weight(f"{at}.weight", [HIDDEN]), graph.weight(f"{at}.bias", [HIDDEN])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    names: dict[str, list[str]] = {}
    for chosen in ("fp32", "int8"):
        model = build(chosen)
        external = TensorProto.EXTERNAL
        names[chosen] = [
            one.name for one in model.graph.initializer if one.data_location == external
        ]
        target = FOLDER / f"minilm-{chosen}.onnx"
        target.write_bytes(model.SerializeToString(deterministic=True))
        size = target.stat().st_size
        print(f"{target.name}: {size:,} bytes, {len(names[chosen])} weights")  # noqa: T201
    (FOLDER / "minilm.json").write_text(json.dumps(names, indent=1) + "\n")

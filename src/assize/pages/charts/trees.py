"""A tree of questions, from left to right."""

from __future__ import annotations

from collections.abc import Iterator

from assize.pages.charts.parts import layer, quantity
from assize.pages.drawing import INK, SERIES, Spec
from assize.reference._study.trees import Node
from assize.results.numbers import number

STEP = 46  # pixels between two leaves
WIDTH = 230  # pixels between a question and what follows from it
TURN = 0.9  # of that, until the way parts


def tree(root: Node, *, title: str) -> Spec:
    """Questions from left to right: above where the answer is yes, below where it is no.

    Args:
        root: of the tree.
        title: what the values are, for the text alternative.
    """
    placed = list(_placed(root, 0, 0.0))
    nodes: list[Spec] = [
        {
            "x": x,
            "y": y,
            "said": number(one.value, 2),
            "n": f"{one.n:,}",
            "asked": one.question,
            "value": one.value,
        }
        for one, x, y, _ in placed
    ]
    ways = [way for _, x, y, below in placed for way in _ways(x, y, below)]
    deep = max(x for _, x, *_ in placed)
    down = {"domain": [-0.5, root.leaves - 0.5], "reverse": True}
    values = [one.value for one, *_ in placed if one.value == one.value]
    low, high = min(values), max(values)
    shade = {"domain": [low, high if high > low else low + 1], "range": [0.15, 0.95]}
    place = {
        "x": quantity("x", axis=None, scale={"domain": [-0.12, deep + 1]}),
        "y": quantity("y", axis=None, scale=down),
    }
    ends = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
    line = {"type": "rule", "color": INK["muted"], "strokeWidth": 1.2, "opacity": 0.7}
    words = {"type": "text", "align": "left", "dx": 11, "limit": WIDTH - 8}
    dot = {"type": "circle", "size": 130, "opacity": 1, "stroke": INK["ink"], "strokeWidth": 0.8}
    first = {"dy": -8, "fontSize": 12, "color": INK["ink"]}
    second = {"dy": 10, "fontSize": 11, "color": INK["muted"]}
    opacity = quantity("value", scale=shade, legend=None)
    return {
        "description": f"A tree of questions about {title}, which stands below as text.",
        "width": int(WIDTH * (deep + 1.12)),
        "height": max(90, STEP * root.leaves),
        "layer": [
            layer(line, ways, **place, **ends),
            layer({**dot, "color": INK["paper"]}, nodes, **place),
            layer({**dot, "color": SERIES[0]}, nodes, **place, fillOpacity=opacity),
            layer({**words, **first}, nodes, **place, text={"field": "said"}),
            layer({**words, **second}, nodes, **place, text={"field": "asked"}),
        ],
    }


def _placed(
    node: Node, depth: int, first: float
) -> Iterator[tuple[Node, float, float, tuple[float, ...]]]:
    """Every node with its place, and how high those stand that follow from it."""
    below: tuple[float, ...] = ()
    if node.low is not None and node.high is not None:
        second = first + node.low.leaves
        below = _middle(node.low, first), _middle(node.high, second)
        yield from _placed(node.low, depth + 1, first)
        yield from _placed(node.high, depth + 1, second)
    yield node, float(depth), _middle(node, first), below


def _ways(x: float, y: float, below: tuple[float, ...]) -> Iterator[Spec]:
    """Lines from a node to those below: along its words, then up and down, then on."""
    if below:
        yield {"x": x, "y": y, "x2": x + TURN, "y2": y}
        yield {"x": x + TURN, "y": below[0], "x2": x + TURN, "y2": below[-1]}
        for one in below:
            yield {"x": x + TURN, "y": one, "x2": x + 1, "y2": one}


def _middle(node: Node, first: float) -> float:
    """Half way between the first and the last leaf below."""
    if node.low is None or node.high is None:
        return first
    return (_middle(node.low, first) + _middle(node.high, first + node.low.leaves)) / 2

"""A tree drawn: every place and question stands in it, from left to right."""

from __future__ import annotations

from assize.pages.charts import svg
from assize.pages.charts.trees import tree
from assize.reference._study.trees import Node

ROOT = Node(
    2.5,
    100,
    "cosine",
    0.5,
    Node(1.0, 40),
    Node(3.5, 60, "rouge1-f1", 0.25, Node(3.0, 30), Node(4.0, 30)),
)


def test_questions_and_values_stand_in_the_drawing() -> None:
    drawn = svg(tree(ROOT, title="content"))
    for text in ("cosine &lt;= 0.50", "rouge1-f1 &lt;= 0.25", ">2.50<", ">4.00<"):
        assert text in drawn


def test_yes_stands_above_no_and_a_parent_between_them() -> None:
    nodes = {one["said"]: one for one in tree(ROOT, title="content")["layer"][1]["data"]["values"]}
    assert nodes["1.00"]["y"] < nodes["3.00"]["y"] < nodes["4.00"]["y"]
    assert nodes["3.50"]["y"] == (nodes["3.00"]["y"] + nodes["4.00"]["y"]) / 2
    assert [nodes[one]["x"] for one in ("2.50", "1.00", "3.50", "4.00")] == [0, 1, 1, 2]


def test_a_single_leaf_can_be_drawn() -> None:
    assert "3.00" in svg(tree(Node(3.0, 10), title="content"))

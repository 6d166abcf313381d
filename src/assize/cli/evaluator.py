"""`assize evaluator`: train an evaluator, measure one, print its card, export it."""

from __future__ import annotations

from assize import evaluator
from assize.cli.command import from_function

train = from_function(
    evaluator.train,
    "assize evaluator train pairs.jsonl --votes run/ --out mine/",
    arguments=["items"],
    named={"judgments": "--judgments -j", "out": "--out -o"},
    metavars={
        "items": "FILES",
        "label": "SPEC|FILE",
        "votes": "FILES",
        "anchor": "JUDGES",
        "dimensions": "QUESTIONS",
        "checkpoints": "FOLDER",
    },
    hidden=["learn_from"],
    required=["out"],
)
evaluate = from_function(
    evaluator.evaluate,
    "assize evaluator evaluate chats.jsonl -j ratings.jsonl",
    arguments=["items"],
    named={"judgments": "--judgments -j", "with_": "--with"},
    metavars={"items": "FILES"},
    unscored=True,
)
card = from_function(evaluator.card, "assize evaluator card")
export = from_function(
    evaluator.export,
    "assize evaluator export mine/ --out upload/",
    arguments=["evaluator"],
    named={"out": "--out -o"},
)

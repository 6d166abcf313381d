"""`assize evaluator`: train an evaluator, measure one, print its card, export it."""

from __future__ import annotations

from assize.cli.command import from_function
from assize.workflows.evaluator.card import evaluator_card
from assize.workflows.evaluator.evaluate import evaluate_evaluator
from assize.workflows.evaluator.export import export_evaluator
from assize.workflows.evaluator.study import study_evaluators
from assize.workflows.evaluator.train import train_evaluator

train = from_function(
    train_evaluator,
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
    evaluate_evaluator,
    "assize evaluator evaluate chats.jsonl -j ratings.jsonl",
    arguments=["items"],
    named={"judgments": "--judgments -j", "with_": "--with"},
    metavars={"items": "FILES"},
    unscored=True,
)
study = from_function(
    study_evaluators,
    "assize evaluator study pairs.jsonl --votes run/",
    arguments=["pairs"],
    named={"votes": "--votes -j", "judge": "--gold", "folds_by": "--by"},
    metavars={"pairs": "PAIRS"},
    report=True,
)
card = from_function(evaluator_card, "assize evaluator card")
export = from_function(
    export_evaluator,
    "assize evaluator export mine/ --out upload/",
    arguments=["evaluator"],
    named={"out": "--out -o"},
)

"""`assize evaluator`: train an evaluator, measure one, print its card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assize.cli.command import from_function
from assize.cli.terminal import Told
from assize.workflows.evaluator.card import evaluator_card
from assize.workflows.evaluator.evaluate import evaluate_evaluator
from assize.workflows.evaluator.study import study_evaluators
from assize.workflows.evaluator.train import train_evaluator

if TYPE_CHECKING:
    from assize.evaluator import Evaluator


def _learnt(result: Evaluator, told: Told) -> dict[str, Any]:
    return {
        "evaluator": result.judge,
        "heads": list(result.scored),
        "out": told.given["out"],
        "judgments": result.about["judgments"],
        "signature": result.signature,
    }


train = from_function(
    train_evaluator,
    "assize evaluator train chats.jsonl -j ratings.jsonl --out mine/",
    arguments=["items"],
    named={"judgments": "--judgments -j", "out": "--out -o"},
    metavars={"items": "FILES", "label": "SPEC|FILE"},
    required=["out"],
    show=lambda result, told: None,  # it stands in its folder
    as_json=_learnt,
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
    named={"votes": "--votes -j"},
    metavars={"pairs": "PAIRS"},
    report=True,
)
card = from_function(evaluator_card, "assize evaluator card")

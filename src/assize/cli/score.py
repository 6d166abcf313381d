"""`assize score`: scores from an evaluator, the shipped one by default."""

from __future__ import annotations

from functools import partial
from typing import Literal

from assize.cli.command import from_function
from assize.cli.terminal import print_result
from assize.evaluator import Evaluator, load_evaluator
from assize.scoring import summarise_scores


def _evaluator(
    evaluator: str = "default",
    precision: Literal["fp32", "int8"] | None = None,
    encoder: str | None = None,
) -> str | Evaluator:
    """The evaluator, opened where something is said of its encoder.

    Args:
        evaluator: folder of a trained evaluator, or default for the shipped one.
        precision: precision of the encoder: fp32, or int8 (faster, less exact).
        encoder: encoder that may be loaded, if the evaluator was trained with one other than
            minilm.
    """
    if precision is None and encoder is None:
        return evaluator
    return load_evaluator(evaluator, precision=precision, encoder=encoder)


score = from_function(
    summarise_scores,
    "assize score chats.jsonl --out scores.jsonl --report scores.html",
    arguments=["items"],
    named={"out": "--out -o", "labels": "--adapt", "ratings": "--scale"},
    hidden=["fit"],  # labels or ratings say which it is
    metavars={
        "items": "FILES",
        "labels": "LABELS",
        "ratings": "RATINGS",
        "save": "DIR",
        "ask": "SHARE",
    },
    makers={"evaluator": _evaluator},
    report=True,
    show=partial(print_result, page_only=lambda name: name in ("failures", "judges")),
    unscored=True,
)

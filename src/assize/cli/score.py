"""`assize score`: scores from an evaluator, the shipped one by default."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from assize.base.errors import ConfigError
from assize.cli.command import from_function
from assize.cli.terminal import print_result
from assize.evaluator import Evaluator, load_evaluator
from assize.formats import JudgmentsLike
from assize.scoring import Adapt, Scale, summarise_scores


def _evaluator(
    evaluator: str = "default",
    precision: Literal["fp32", "int8"] | None = None,
    encoder: str | None = None,
) -> str | Evaluator:
    """The evaluator, opened where something is said of its encoder.

    Args:
        evaluator: folder of a trained evaluator, or default, the shipped one.
        precision: of the encoder, fp32 or int8 (faster, less exact).
        encoder: the encoder that the evaluator may open, where it was trained on another
            than minilm.
    """
    if precision is None and encoder is None:
        return evaluator
    return load_evaluator(evaluator, precision=precision, encoder=encoder)


def _fit(
    adapt: JudgmentsLike | None = None,
    scale: JudgmentsLike | None = None,
    save: str | Path | None = None,
    always: bool = False,
) -> Adapt | Scale | None:
    """Labels to which the evaluator is fitted.

    Args:
        adapt: labels of some of the items, with which the evaluator is adapted before it scores,
            if that is shown to help.
        scale: ratings of some of the items, to whose scale scores are mapped; the head stays as
            it is.
        save: folder for the evaluator that was adapted, or fitted to a scale.
        always: adapt also where it is not shown to help.
    """
    if adapt is not None and scale is not None:
        raise ConfigError("give --adapt or --scale: adapting maps scores to the ratings' scale too")
    if scale is not None:
        if always:
            raise ConfigError(
                "--always goes with --adapt; a scale never changes the order of scores"
            )
        return Scale(scale, save)
    if adapt is not None:
        return Adapt(adapt, save, always)
    if save is not None or always:
        raise ConfigError(
            "--save and --always go with --adapt or --scale; give labels to one of them"
        )
    return None


score = from_function(
    summarise_scores,
    "assize score chats.jsonl --out scores.jsonl --report scores.html",
    arguments=["items"],
    named={"out": "--out -o"},
    metavars={
        "items": "FILES",
        "adapt": "LABELS",
        "scale": "RATINGS",
        "save": "DIR",
        "ask": "SHARE",
    },
    makers={"evaluator": _evaluator, "fit": _fit},
    report=True,
    show=partial(print_result, page_only=("failures", "judges")),
    unscored=True,
)

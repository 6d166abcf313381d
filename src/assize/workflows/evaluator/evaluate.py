"""Measures an evaluator against judgments."""

from __future__ import annotations

from pathlib import Path

from assize.arguments import checked
from assize.errors import DataError
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator.learning import agreement
from assize.evaluator.results import EvaluatorFigures
from assize.evaluator.scoring import score
from assize.formats import Items, Judgments
from assize.workflows.evaluator.given import folder_of, judgments_beside, read_twice
from assize.workflows.reading import items_in


@checked
def evaluate_evaluator(
    items: Items,
    *,
    judgments: Judgments | None = None,
    evaluator: Evaluator | str | Path = "default",
    encoder: str | None = None,
    format: str | None = None,
) -> EvaluatorFigures:
    """Measures an evaluator against judgments: correlation with ratings, share of pairs.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts and
            tables.
        judgments: ratings or preferences, by default those that stand among the items.
        evaluator: its folder, or default, the shipped one. In Python also an evaluator.
        encoder: the encoder that it may open, where it was trained on another than minilm.
        format: format of the input, recognised from the content by default.

    Raises:
        DataError: no judgment fits an item.
        MissingExtra: a part of the extra `score` is not installed.
    """
    items = read_twice(items)
    table = judgments_beside(items, judgments, format)
    chosen = (
        evaluator
        if isinstance(evaluator, Evaluator)
        else load_evaluator(folder_of(evaluator), encoder=encoder)
    )
    per_turn = bool(table.present("turn").any())
    scored = score(items_in(items, format=format), evaluator=chosen, turns=per_turn)
    found = agreement(scored, table, chosen)
    if not found:
        raise DataError("no judgment fits an item of these files; check the ids of the items")
    return EvaluatorFigures(chosen.judge, found, chosen.signature)

"""Fits an evaluator to labels of one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assize.evaluator._adapting.adapting import SEED, adapt_heads
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._adapting.reading import read_labels
from assize.evaluator._adapting.result import Adaptation
from assize.evaluator._artefact import open_evaluator
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._inputs import judgments_beside, read_twice
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_in
from assize.formats.files import make_folder
from assize.formats.labels import ItemLabels
from assize.formats.labels.labelling import labels_as_ratings
from assize.judgments import JudgmentTable


def adapt(
    items: ItemsLike,
    *,
    judgments: JudgmentsLike | None = None,
    label: str | ItemLabels | None = None,
    evaluator: Evaluator | str | Path = "default",
    save: str | Path | None = None,
    always: bool = False,
    scale_only: bool = False,
    seed: int = SEED,
    encoder: str | None = None,
) -> Adaptation:
    """Fit an evaluator to twenty or more labels of your own, and test whether that helped.

    The head is changed a little where cross-validation, by conversation or by rater, shows that it
    predicts labels it has not seen better afterwards; otherwise it stays. Beside that, ratings give
    a map from scores to their scale, and preferences of pairs a tie threshold. When more labels
    come, adapt the same evaluator again, to all of them.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts
            and tables.
        judgments: files of ratings or preferences. Default: those among the items.
        label: what counts as good, in place of judgments, for example thumbs:up=1,down=0, or a file
            of ids and labels. In Python also a dict by id.
        evaluator: folder of a trained evaluator, or default for the shipped one. In Python also an
            evaluator.
        save: folder of the adapted evaluator. None keeps it in memory.
        always: change the head also where cross-validation does not show that it helps.
        scale_only: leave the head as it is; learn people's scale and the tie thresholds.
        seed: deals the folds.
        encoder: encoder that may be loaded, if the evaluator was trained with one other than
            minilm.

    Raises:
        DataError: fewer than 20 labels fit an item, or all of them are the same.
        OutputError: the folder cannot be written.
        MissingExtra: a part of the extra `score` is not installed.
    """
    items = read_twice(items)
    if save is not None:
        make_folder(Path(save))
    if label is not None:
        labelled = items_in(items)
        judgments = labels_as_ratings(labelled, label, instead_of=judgments)
    table = judgments_beside(items, judgments)
    start = open_evaluator(evaluator, encoder)
    given = read_labels(items_in(items), table, start)
    adapted, outcomes = adapt_heads(start, given, seed=seed, always=always, change=not scale_only)
    if save is not None:
        named = replace(adapted, name=Path(save).resolve().name)
        named.save(save)
        adapted = named
    out = None if save is None else str(save)
    return Adaptation.of(adapted, outcomes, unfit=_unfit(table, given), out=out)


def _unfit(table: JudgmentTable, given: dict[str, list[Labels]]) -> int:
    """Judged items or turns that no label was made of."""
    fitted = {unit for parts in given.values() for one in parts for unit in one.units}
    return max(0, len(set(table.units()[1])) - len(fitted))

"""Trains an evaluator of one's own."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from assize.arguments import checked
from assize.encoders import load_encoder
from assize.errors import ConfigError
from assize.evaluator import Evaluator, save
from assize.evaluator.learning import learn
from assize.formats import Items, Judgments
from assize.formats.files import make_folder
from assize.formats.labels import ItemLabels, labels_of
from assize.judgments import JudgmentTable
from assize.workflows.evaluator.given import corpora_in, judgments_beside, read_twice
from assize.workflows.reading import items_in

log = logging.getLogger("assize")
_UNNAMED = "trained"


@checked
def train_evaluator(
    items: Items,
    *,
    judgments: Judgments | None = None,
    label: str | ItemLabels | None = None,
    name: str | None = None,
    out: str | Path | None = None,
    format: str | None = None,
) -> Evaluator:
    """Trains an evaluator on ratings of conversations or turns, and on preferences.

    Each file counts as one corpus; each question with ratings gets a head.
    Measure the result on other conversations, not on these.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts and
            tables, which count as one corpus.
        judgments: ratings or preferences, by default those that stand among the items.
        label: what counts as good, in place of judgments, as thumbs:up=1,down=0 or a file of ids
            and labels: the evaluator gets a head `label`. In Python also a dict by id.
        name: as in evaluator@NAME, by default the name of the folder. Without a folder
            `trained`.
        out: folder of the new evaluator. None keeps it in memory.
        format: format of the input, recognised from the content by default.

    Returns:
        What was learnt; `assize.score(items, evaluator=...)` takes it, or its folder.

    Raises:
        DataError: no judgment fits an item, or all ratings of a question are the same.
        OutputError: the folder cannot be written.
        MissingExtra: a part of the extra `score` is not installed.
    """
    items = read_twice(items)
    if out is not None:
        make_folder(Path(out))  # before minutes of work that would be lost
    if label is not None:
        judgments = _labelled(items, label, judgments, format)
    table = judgments_beside(items, judgments, format)
    folder = _UNNAMED if out is None else Path(out).resolve().name
    encoder = load_encoder("minilm", cached=True)
    learnt = learn(
        corpora_in(items, format), table, encoder, name=folder if name is None else name
    )  # fmt: skip
    learnt = replace(learnt, about={**learnt.about, "judgments": len(table)})
    if out is not None:
        save(learnt, Path(out))
    heads, place = ", ".join(learnt.scored), "" if out is None else f"{out}: "
    log.info("%s%s with %s, from %s judgments", place, learnt.judge, heads, f"{len(table):,}")
    return learnt


def _labelled(
    items: Items, label: str | ItemLabels, judgments: Judgments | None, format: str | None
) -> JudgmentTable:
    """The labels as judgments by gold.

    Raises:
        ConfigError: there are judgments too.
    """
    if judgments is not None:
        raise ConfigError("give judgments or label: an evaluator learns from one of them")
    labels = labels_of(items_in(items, format=format), label)
    for one in labels.notes:
        log.info(one)
    return labels.to_judgments()

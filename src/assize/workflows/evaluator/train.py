"""Trains an evaluator of one's own, on ratings or on several judges' votes."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from assize.encoders import load_encoder
from assize.errors import ConfigError
from assize.evaluator import Evaluator, save
from assize.evaluator.features.dialogue import Long, featuriser_for
from assize.evaluator.learning import learn
from assize.evaluator.training.card import write_card
from assize.evaluator.training.from_votes import learn_from_votes
from assize.evaluator.training.settings import Preset, settings_of
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.files import make_folder
from assize.formats.labels import ItemLabels
from assize.running.progress import progress
from assize.workflows.evaluator.given import corpora_in, judgments_beside, read_twice
from assize.workflows.given_labels import labels_as_ratings
from assize.workflows.reading import files_in, items_in, judgments_of, names_of

log = logging.getLogger("assize")
_UNNAMED = "trained"


def train_evaluator(
    items: ItemsLike,
    *,
    judgments: JudgmentsLike | None = None,
    votes: JudgmentsLike | None = None,
    label: str | ItemLabels | None = None,
    name: str | None = None,
    out: str | Path | None = None,
    preset: Preset | None = None,
    encoder: str | None = None,
    dimensions: str | Iterable[str] | None = None,
    anchor: str | Iterable[str] | None = None,
    tied: bool = False,
    members: int | None = None,
    epochs: int | None = None,
    seed: int = 0,
    checkpoints: str | Path | None = None,
    quiet: bool = False,
) -> Evaluator:
    """Trains an evaluator on ratings and preferences, or on several judges' `votes` on pairs.

    Each file counts as one corpus; each question with ratings gets a head. From votes a network
    and the reliability of every judge on every question are learnt together. Measure the
    result on other conversations, not on these.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts and
            tables, which count as one corpus.
        judgments: ratings or preferences, by default those that stand among the items.
        votes: judges' votes on pairs; runs, files of judgments, P2-MTD files.
        label: what counts as good, in place of judgments, as thumbs:up=1,down=0 or a file of ids
            and labels: the evaluator gets a head `label`. In Python also a dict by id.
        name: as in evaluator@NAME, by default the name of the folder. Without a folder
            `trained`.
        out: folder of the new evaluator. None keeps it in memory.
        preset: how votes are learnt from, small (default), linear, or paper, as published.
        encoder: what reads the dialogues, minilm by default.
        dimensions: with votes, questions to learn, by default all that were voted on.
        anchor: with votes, judges trusted on which side is better; gold for known labels.
        tied: with votes, one reliability a judge and question, alpha = beta.
        members: with votes, networks of the ensemble.
        epochs: with votes, most passes over the pairs.
        seed: of all that is drawn; the same seed gives the same evaluator.
        checkpoints: with votes, a folder from which an interrupted training goes on.
        quiet: no progress.

    Returns:
        What was learnt; `assize.score(items, evaluator=...)` takes it, or its folder. From
        votes its `about` holds the judges' reliabilities.

    Raises:
        DataError: no judgment fits an item, or all ratings of a question are the same.
        ConfigError: options do not go together.
        OutputError: the folder cannot be written.
        MissingExtra: a part of the extra `score` is not installed.
    """
    items = read_twice(items)
    if out is not None:
        make_folder(Path(out))  # before minutes of work that would be lost
    folder = _UNNAMED if out is None else Path(out).resolve().name
    called = folder if name is None else name
    only = {
        "preset": preset,
        "dimensions": dimensions,
        "anchor": anchor,
        "members": members,
        "epochs": epochs,
        "checkpoints": checkpoints,
        "tied": tied or None,
        "encoder": encoder,
    }
    if votes is None:
        if given := [option for option, value in only.items() if value is not None]:
            raise ConfigError(
                f"{given[0]} goes with votes; give votes, or leave it out", given[0], "votes"
            )
        learnt, count = _from_ratings(items, judgments, label, called)
    else:
        if label is not None:
            raise ConfigError(
                "give votes or label: an evaluator learns from one of them", "votes", "label"
            )
        if judgments is not None:
            raise ConfigError(
                "give votes or judgments: learn from votes, then adapt to ratings (score --adapt)",
                "votes",
            )
        settings = settings_of(
            preset or "small", members=members, epochs=epochs, tied=tied or None, seed=seed
        )
        table = judgments_of(votes, argument="votes")
        long: Long = "unscored" if preset == "paper" else "windows"
        reader = load_encoder("minilm" if encoder is None else encoder, cached=True)
        with progress("training", settings.epochs, quiet=quiet) as advance:
            learnt = learn_from_votes(
                _read(items),
                table,
                reader,
                name=called,
                settings=settings,
                featuriser=featuriser_for(reader, long=long),
                dimensions=names_of(dimensions),
                anchors=names_of(anchor) or (),
                corpus=_names(items),
                checkpoints=checkpoints,
                progress=lambda _: advance(),
            )
        count = len(table)
        for note in learnt.about["notes"]:
            log.warning(note)
    learnt = replace(learnt, about={**learnt.about, "judgments": count})
    if out is not None:
        save(learnt, Path(out))
        if votes is not None:
            write_card(learnt, Path(out))
    heads, place = ", ".join(learnt.scored), "" if out is None else f"{out}: "
    log.info("%s%s with %s, from %s judgments", place, learnt.judge, heads, f"{count:,}")
    return learnt


def _from_ratings(
    items: ItemsLike,
    judgments: JudgmentsLike | None,
    label: str | ItemLabels | None,
    name: str,
) -> tuple[Evaluator, int]:
    """A linear head a question; and how many judgments there were."""
    if label is not None:
        given = items_in(items)
        judgments = labels_as_ratings(given, label, instead_of=judgments)
    table = judgments_beside(items, judgments)
    encoder = load_encoder("minilm", cached=True)
    return learn(corpora_in(items), table, encoder, name=name), len(table)


def _read(items: ItemsLike) -> list[Any]:
    """All items, of whichever file."""
    return list(items_in(items))


def _names(items: ItemsLike) -> tuple[str, ...]:
    """What stands as trained on: the files' names."""
    return tuple(dict.fromkeys(Path(file).name for file in files_in(items))) or ("items",)

"""Trains an evaluator of one's own, on ratings or on several judges' votes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assize.base.arguments import shown
from assize.base.errors import ConfigError
from assize.encoders import load_encoder
from assize.evaluator._artefact import save
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._features.dialogue import Long, featuriser_for
from assize.evaluator._inputs import corpora_in, judgments_beside, read_twice
from assize.evaluator._learn_from import FromLabel, FromRatings, FromVotes
from assize.evaluator._learning import learn
from assize.evaluator._training.card import write_card
from assize.evaluator._training.from_votes import learn_from_votes
from assize.evaluator._training.settings import settings_of
from assize.formats import Items, ItemsLike
from assize.formats.arguments import files_in, items_in, judgments_of, names_of
from assize.formats.files import make_folder
from assize.formats.labels.labelling import labels_as_ratings
from assize.judgments import JudgmentTable
from assize.results.log import log
from assize.running.progress import progress

_UNNAMED = "trained"


def train(
    items: ItemsLike,
    learn_from: FromRatings | FromLabel | FromVotes = FromRatings(),
    *,
    name: str | None = None,
    out: str | Path | None = None,
    quiet: bool = False,
) -> Evaluator:
    """Train an evaluator on ratings and preferences, or on several judges' `votes` on pairs.

    Each file counts as one corpus; each question with ratings gets a head. From votes, a network
    and the reliability of every judge on every question are learnt together. Measure the result on
    other conversations, not on these.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts
            and tables, which count as one corpus.
        learn_from: `FromRatings`, `FromLabel` or `FromVotes` of `assize.evaluator`.
        name: name of the evaluator, as in evaluator@NAME. Default: the name of the folder. Without
            a folder `trained`.
        out: folder to write the new evaluator to. None keeps it in memory.
        quiet: no progress.

    Returns:
        What was learnt; `assize.score(items, evaluator=...)` takes it, or its folder. From
        votes its `about` holds the judges' reliabilities.

    Raises:
        DataError: no judgment fits an item, or all ratings of a question are the same.
        ConfigError: an option is not among those allowed.
        OutputError: the folder cannot be written.
        MissingExtra: a part of the extra `score` is not installed.
    """
    items = read_twice(items)
    if out is not None:
        make_folder(Path(out))  # before minutes of work that would be lost
    folder = _UNNAMED if out is None else Path(out).resolve().name
    called = folder if name is None else name
    if isinstance(learn_from, FromVotes):
        learnt, count = _learn_votes(items, learn_from, called, quiet)
    elif isinstance(learn_from, FromLabel):
        labels = labels_as_ratings(items_in(items), learn_from.label)
        learnt, count = _learn_ratings(items, labels, called)
    elif isinstance(learn_from, FromRatings):
        table = judgments_beside(items, learn_from.judgments)
        learnt, count = _learn_ratings(items, table, called)
    else:
        raise ConfigError(
            f"learn_from: received {shown(learn_from)}; give FromRatings(...), FromLabel(...) or"
            " FromVotes(...)"
        )
    learnt = replace(learnt, about={**learnt.about, "judgments": count})
    if out is not None:
        save(learnt, Path(out))
        if isinstance(learn_from, FromVotes):
            write_card(learnt, Path(out))
    heads, place = ", ".join(learnt.scored), "" if out is None else f"{out}: "
    log.info("%s%s with %s, from %s judgments", place, learnt.judge, heads, f"{count:,}")
    return learnt


def _learn_ratings(items: Items, judgments: JudgmentTable, name: str) -> tuple[Evaluator, int]:
    """A linear head a question; and how many judgments there were."""
    encoder = load_encoder("minilm", cached=True)
    return learn(corpora_in(items), judgments, encoder, name=name), len(judgments)


def _learn_votes(items: Items, how: FromVotes, name: str, quiet: bool) -> tuple[Evaluator, int]:
    """A network and the judges' reliabilities; and how many votes there were."""
    settings = settings_of(
        how.preset, members=how.members, epochs=how.epochs, tied=how.tied or None, seed=how.seed
    )
    table = judgments_of(how.votes, argument="votes")
    long: Long = "unscored" if how.preset == "paper" else "windows"
    encoder = load_encoder(how.encoder, cached=True)
    with progress("training", settings.epochs, quiet=quiet) as advance:
        learnt = learn_from_votes(
            list(items_in(items)),
            table,
            encoder,
            name=name,
            settings=settings,
            featuriser=featuriser_for(encoder, long=long),
            dimensions=names_of(how.dimensions),
            anchors=names_of(how.anchor) or (),
            corpus=_names(items),
            checkpoints=how.checkpoints,
            progress=lambda _: advance(),
        )
    for note in learnt.about["notes"]:
        log.warning(note)
    return learnt, len(table)


def _names(items: ItemsLike) -> tuple[str, ...]:
    """What stands as trained on: the files' names."""
    return tuple(dict.fromkeys(Path(file).name for file in files_in(items))) or ("items",)

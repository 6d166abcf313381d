"""What each rater would say about new items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Literal

from assize.base.arguments import check_word
from assize.base.conversation import Item, Pair
from assize.base.errors import ConfigError, DataError
from assize.calibrate._artefact import signature
from assize.calibrate._inputs import (
    Fitted,
    Raters,
    calibrator_of,
    features_for,
    new_shifts,
    tell_shifts,
)
from assize.calibrate._prediction.predict_pairs import predict_preferences
from assize.calibrate._prediction.predictions import (
    aggregate_signature,
    prediction_tables,
    rater_places,
)
from assize.calibrate._prediction.rater_means import RaterMeans
from assize.calibrate._results.predicted import PredictionResult
from assize.formats import ItemsLike, JudgmentsLike, open_writer, write_questions
from assize.formats.arguments import items_in, named, names_of
from assize.judgments import JudgmentTable
from assize.judgments.membership import unit_labels
from assize.running.progress import progress


def predict(
    calibrator: Fitted,
    answers: JudgmentsLike,
    *,
    raters: Raters = "all",
    aggregate: Literal["none", "mean", "max", "highest", "lowest"] = "none",
    loss: Literal["squared", "absolute", "wrong"] | None = None,
    unordered_mean: bool = False,
    items: ItemsLike | None = None,
    choices: bool = False,
    mask: str | Sequence[str] = (),
    out: str | Path | None = None,
    keep: bool = True,
    quiet: bool = False,
) -> PredictionResult:
    """Predict raters' answers: one judgment by calibration:RATER per item and rater.

    Its score is the mean. Its details have the whole distribution, entropy, variance and P(answer
    <= k). A correction by groups needs `items`, which say what group a conversation belongs to.

    Args:
        calibrator: folder that `calibrate fit` wrote. In Python also what `assize.calibrate.fit`
            has returned.
        answers: model judgments: files or folders of runs (repeatable).
        raters: raters to predict: ids separated by commas, all, or unknown.
        aggregate: how to combine raters: none (one row per rater), or one row per item, by mean or
            max of their expected answers, or highest or lowest of their answers.
        loss: also predict the single answer with the least loss: squared, absolute or wrong.
        unordered_mean: give answers without an order the mean of their positions.
        items: files of the conversations, for their systems and metadata (repeatable).
        choices: predict which side of each pair in `items` a rater would prefer.
        mask: metadata to treat as unknown: system, metadata.NAME, or all (repeatable).
        out: file to write the judgments to. They are then not held in memory.
        keep: hold the judgments in memory where there is no `out`; without them there are
            the raters' means alone.
        quiet: no progress.

    Returns:
        With `judgments`, item by item and rater by rater; what is not known of is unscored.

    Raises:
        ConfigError: a rater is not known; choices are asked for, and it has learnt none.
        DataError: the answers hold nothing that it reads, or a row is bad.
    """
    check_word("loss", loss, ("squared", "absolute", "wrong"))
    check_word("aggregate", aggregate, ("none", "mean", "max", "highest", "lowest"))
    fitted = calibrator_of(calibrator)
    known = list(items_in(items))
    features = features_for([fitted], answers, known, masked=names_of(mask) or [])
    tell_shifts(new_shifts(fitted, features))
    places = rater_places(fitted.calibrator, raters)
    together = None if aggregate == "none" else aggregate
    signed = signature(fitted.calibrator) if choices else aggregate_signature(fitted, together)
    tables: Iterable[JudgmentTable]
    if choices:
        pairs = _pairs(known, items, together is not None or loss is not None)
        question, about = fitted.chosen_by, len(pairs)
        rows = predict_preferences(
            fitted.calibrator,
            features,
            pairs,
            places,
            question=question,
            signature=signed,
            seen=fitted.learnt_from,
        )
        tables = [JudgmentTable.of(rows, [question])]
    else:
        question, about = fitted.target.question, len(features.units)
        groups = unit_labels(fitted.fields, features.units, known)
        there = fitted.for_items(features, known)
        tables = prediction_tables(
            there,
            features,
            places,
            groups=groups,
            loss=loss,
            unordered=unordered_mean,
            combine=together,
        )
    tally, kept = RaterMeans(), list[JudgmentTable]()
    total = about * (len(places) if together is None else 1)
    with progress("predicting", total, quiet=quiet) as advance, _writer(out, kept, keep) as put:
        for table in tables:
            put(table)
            tally.add(table)
            advance(len(table))
    if out is not None:
        write_questions(out, [question])
    means = tally.by_rater
    return PredictionResult(
        question.id,
        means,
        about,
        sum(mean.unscored for mean in means.values()),
        fitted.corrected and not choices,
        None if out is None else str(out),
        signed,
        JudgmentTable.concat(kept) if out is None and keep else None,
    )


def _writer(
    out: str | Path | None, kept: list[JudgmentTable], keep: bool
) -> AbstractContextManager[Callable[[JudgmentTable], object]]:
    """Writes tables into a file; where there is none, keeps them or lets them pass."""
    if out is not None:
        return open_writer(out)
    return nullcontext(kept.append if keep else len)


def _pairs(known: Sequence[Item], items: ItemsLike | None, decided: bool) -> list[Pair]:
    """The pairs among the items; refuses what choices cannot be asked with."""
    if decided:
        raise ConfigError(
            "choices are of each rater; leave out aggregate and loss",
            "choices",
            "aggregate",
            "loss",
        )
    if items is None:
        raise ConfigError("choices needs the pairs: give items", "choices", "items")
    pairs = [one for one in known if isinstance(one, Pair)]
    if not pairs:
        raise DataError("there is no pair in these files", source=named(items))
    return pairs

"""`assize calibrate distill`: a small evaluator that reproduces calibrators from text alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.calibrate_fit import Answers
from assize.cli.calibrate_next import Fitted
from assize.cli.calibrate_predict import Raters, Trusted, Uncorrected, UnknownAs
from assize.cli.evaluator import Folder, Name
from assize.cli.options import Json, MaxUnscored, OnError, Quiet, Seed
from assize.cli.reading import features_for, items_of, ratings_in
from assize.cli.terminal import note, print_json, print_tables
from assize.running.progress import progress

if TYPE_CHECKING:
    import numpy as np

    from assize.calibration import Features
    from assize.calibration.fitted import FittedCalibrator
    from assize.conversation import Item
    from assize.evaluator import Evaluator
    from assize.evaluator.distilled_card import Facts, Teacher
    from assize.judgment import Judgment, Question
    from assize.judgments import JudgmentTable, Unit

Items = Annotated[
    list[str],
    typer.Option("--items", help="The conversations that the answers are about; repeatable."),
]
Samples = Annotated[
    int | None,
    typer.Option(
        "--samples",
        min=1,
        help="Learn from so many answers drawn of each conversation and question; from their"
        " expected value when not given.",
    ),
]
LabelsOut = Annotated[
    str | None, typer.Option("--labels", help="Write the labels here, as judgments.")
]
Rated = Annotated[
    list[str] | None,
    typer.Option("--ratings", "-r", help="Ratings by people, to compare with; repeatable."),
]
Folds = Annotated[
    int, typer.Option("--folds", min=2, help="Parts of the conversations held out in turn.")
]


def distill(
    calibrators: Fitted,
    answers: Answers,
    items: Items,
    out: Folder,
    raters: Raters = "all",
    trusted: Trusted = None,
    strangers: UnknownAs = "shared",
    samples: Samples = None,
    labels: LabelsOut = None,
    ratings: Rated = None,
    folds: Folds = 5,
    uncorrected: Uncorrected = False,
    name: Name = None,
    seed: Seed = 0,
    max_unscored: MaxUnscored = 5.0,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Makes an evaluator that scores as calibrators would, from the text alone.

    It learns from expected answers, or from answers drawn from the calibrated
    distributions (--samples). Several folders, one a question, make one evaluator
    with a head each. How well it reproduces them is measured on conversations
    held out. `assize score` uses it.

    Example: [bold]assize calibrate distill mine/ -a run/ --items chats.jsonl --out small/[/bold]
    """
    import numpy as np

    from assize.calibration.calibrator import check_rated
    from assize.calibration.fitted import load_calibrator
    from assize.calibration.prediction.sampled_labels import features_about
    from assize.encoders import load_encoder
    from assize.errors import ConfigError
    from assize.evaluator.distilled_card import Facts
    from assize.evaluator.distilling import beside_people, distil, fidelity, values_of
    from assize.formats import write
    from assize.judgments import JudgmentTable

    if strangers not in ("shared", "average"):
        raise ConfigError(f"--strangers {strangers}: allowed are shared and average")
    listed = list(items_of(items))
    fitted = [load_calibrator(folder, uncorrected=uncorrected) for folder in calibrators]
    if ratings:
        for one in fitted:
            check_rated(one.calibrator)
    everything = features_for(
        [one.calibrator for one in fitted], answers, items, on_error=on_error, quiet=quiet
    )
    features = features_about(everything, [item.id for item in listed])
    drawing, dealing, testing = np.random.default_rng(seed).spawn(3)
    wanted = _Wanted(raters, trusted, strangers)
    lessons = [_lesson(one, wanted, features, listed, samples, drawing) for one in fitted]
    questions = _questions(lessons)
    taught = JudgmentTable.of((row for one in lessons for row in one.labels), questions)
    means = JudgmentTable.of((row for one in lessons for row in one.means), questions)
    expected = values_of(means)
    units = set().union(*expected.values())
    people = values_of(_ratings(ratings, questions, units, on_error, quiet))
    chosen = out.resolve().name if name is None else name
    with progress("folds", folds + 1, quiet=quiet) as advance:
        found = distil(
            listed, taught, load_encoder("minilm", cached=True),
            name=chosen, folds=folds, rng=dealing, tick=advance,
        )  # fmt: skip
    facts = Facts(
        teachers=tuple(one.teacher for one in lessons),
        conversations=len(listed),
        samples=samples,
        labels=len(taught) - taught.unscored,
        seed=seed,
        folds=folds,
        fidelity=fidelity(found.held, expected),
        people=beside_people(found.held, expected, people, testing),
    )
    learnt = replace(found.evaluator, about=facts.to_json())
    _save(learnt, facts, out)
    if labels is not None:
        write(labels, taught, questions=questions)
    left_out = len({item for item, _ in everything.units} - {item.id for item in listed})
    counts = {"answered_elsewhere": left_out, "out": str(out), "labels_out": labels}
    if json:
        print_json(
            {"evaluator": learnt.judge, "heads": list(learnt.scored)}
            | facts.to_json()
            | counts
            | {"signature": learnt.signature}
        )
    else:
        _tell(learnt, facts, left_out, out, quiet)
    if facts.percent_unscored > max_unscored:
        note(f"{facts.percent_unscored:.1f}% of the conversations could not be scored by both")
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Whose answers, as users write it."""

    raters: str
    trusted: str | None
    strangers: str


@dataclass(frozen=True, slots=True)
class _Lesson:
    """What one calibrator teaches: labels to learn from, and the means that they stand for."""

    question: Question
    teacher: Teacher
    labels: Sequence[Judgment]
    means: Sequence[Judgment]


def _lesson(
    fitted: FittedCalibrator,
    wanted: _Wanted,
    features: Features,
    items: Sequence[Item],
    samples: int | None,
    rng: np.random.Generator,
) -> _Lesson:
    """Predicts all items by a calibrator; draws labels, or takes the means as such."""
    from assize.calibration.groups.membership import unit_labels
    from assize.calibration.prediction.predictions import (
        judge_name,
        prediction_tables,
        rater_places,
    )
    from assize.calibration.prediction.sampled_labels import check_teacher, sample_labels
    from assize.evaluator.distilled_card import Teacher

    calibrator = fitted.calibrator
    check_teacher(calibrator)
    places = rater_places(calibrator, wanted.raters, wanted.trusted)
    groups = unit_labels(fitted.fields, features.units, items)

    def predicted(together: str | None) -> list[Judgment]:
        return list(chain.from_iterable(prediction_tables(
            fitted, features, places, groups=groups, combine=together,  # type: ignore[arg-type]
            unknown_as=wanted.strangers,  # type: ignore[arg-type]
        )))  # fmt: skip

    means = predicted("mean")
    labels = means if samples is None else list(sample_labels(predicted(None), samples, rng))
    unscored = sum(row.unscored is not None for row in means)
    names = tuple(judge_name(calibrator, place).partition(":")[2] for place in places)
    teacher = Teacher(
        calibrator.target.id,
        fitted.signature,
        names,
        fitted.correction is not None,
        len(means) - unscored,
        unscored,
    )
    return _Lesson(calibrator.target.question, teacher, labels, means)


def _questions(lessons: Sequence[_Lesson]) -> list[Question]:
    """One a calibrator; raises ConfigError where two predict the same."""
    from assize.errors import ConfigError

    found: dict[str, Question] = {}
    for one in lessons:
        if one.question.id in found:
            raise ConfigError(
                f"two of these calibrators predict {one.question.id!r}; give one a question"
            )
        found[one.question.id] = one.question
    return list(found.values())


def _ratings(
    files: list[str] | None,
    questions: Sequence[Question],
    units: Collection[Unit],
    on_error: str,
    quiet: bool,
) -> JudgmentTable:
    """People's ratings of what is predicted, on the calibrators' scales.

    Raises DataError where ratings are given and none is about these units and questions.
    """
    from assize.errors import DataError
    from assize.judgments import JudgmentTable

    scales = {one.id: one for one in questions}
    rows = tuple(ratings_in(files, on_error=on_error, quiet=quiet)) if files else ()
    asked = [row for row in rows if row.question in scales]
    kept = tuple(row for row in asked if (row.item, row.turn) in units)
    if files and not kept:
        raise DataError(
            f"none of the {len(rows):,} ratings is of {', '.join(scales)} about these"
            " conversations; check the ids of items and questions"
        )
    if len(kept) < len(asked) and not quiet:
        note(f"{len(asked) - len(kept):,} ratings are about other conversations and left out")
    return JudgmentTable.of(kept, questions)


def _save(learnt: Evaluator, facts: Facts, out: Path) -> None:
    from assize.evaluator import save
    from assize.evaluator.artefact import CARD
    from assize.evaluator.distilled_card import card
    from assize.formats.files import open_output

    save(learnt, out)
    with open_output(out / CARD) as stream:
        stream.write(card(learnt, facts).encode())


def _tell(learnt: Evaluator, facts: Facts, left_out: int, out: Path, quiet: bool) -> None:
    print_tables({key: one for key, one in facts.tables.items() if key != "teachers"})
    if quiet:
        return
    drawn = "" if facts.samples is None else f", {facts.samples} a conversation and question"
    questions = ", ".join(learnt.scored)
    note(f"{out}: {learnt.judge} with {questions}, from {facts.labels:,} labels{drawn}")
    if left_out:
        note(f"{left_out:,} answered items are not among the conversations and left out")
    if facts.people:
        note("the calibrator must not have been fitted on these ratings, or both figures flatter")

"""How many more human labels a mean takes, with each judge's help and without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from assize.agreement.ordinary import count_in_sample, ordinary_ratings
from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign
from assize.formats import JudgmentsLike
from assize.formats.arguments import judgments_of, names_of
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE, Columns, columns, with_people
from assize.judgments.judges import resolve
from assize.results import Column, Estimate, Hidden, Result, Table
from assize.results.numbers import counted
from assize.stats import labels_needed as more_labels
from assize.stats import ppi_mean


@dataclass(frozen=True, slots=True)
class LabelsRow:
    """The mean human answer with one judge's help, and the labels that it takes.

    Args:
        by: `people`, for people alone, or `with JUDGE`.
        mean: its `n` counts human labels.
        unlabelled: items that the judge alone judged; None for people alone.
        worth: of one label with that judge, in labels without one; None for people alone.
        needed: labels in all; None where no number of them will do.
        more: labels that are still to be made.
        weight: of the judge, in [0, 1].
        reason: why there is no answer.
        warning: that the judge makes the answer worse.
    """

    question: str
    by: str
    mean: Annotated[Estimate, Column(ends="below")]
    unlabelled: Annotated[int | None, Column("judged only")]
    worth: Annotated[float | None, Column(digits=2)]
    needed: int | None
    more: int | None
    weight: Hidden[float | None] = None
    reason: Hidden[str | None] = None
    warning: Hidden[str | None] = None


@dataclass(frozen=True)
class LabelsNeeded(Result):
    """The mean human answer by people alone and with each judge, and what is still to be labelled.

    Args:
        question: question whose mean is estimated.
        width: of the interval that is wanted, in the question's unit.
        labels: people alone, then each judge.
        signature: of data and settings.
    """

    question: str
    width: float
    labels: Annotated[
        Sequence[LabelsRow], Table("Labels needed", "What a judge saves people.", "question")
    ]
    signature: str

    @property
    def sentence(self) -> str:
        """What people alone would still have to label."""
        more = self.labels[0].more
        labels = "no number of labels is" if more is None else f"{counted(more, 'more label')} make"
        return f"By people alone {labels} the interval {self.width:g} wide."

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """How the table is read."""
        worth = "worth: of one label with that judge, in labels without one"
        return {"labels": [f"For an interval {self.width:g} wide. n: labels; {worth}."]}

    @property
    def notes(self) -> Sequence[str]:
        """Where a judge cannot help, and where it makes the answer worse."""
        problems = [(row.by, row.reason or row.warning) for row in self.labels]
        return [f"{name}: {problem}" for name, problem in problems if problem]

    @property
    def missing(self) -> tuple[int, int]:
        """Items on which a judge failed, and items that judges were asked about."""
        judges = self.labels[1:]
        unscored = sum(row.mean.unscored for row in judges)
        return unscored, unscored + sum(row.mean.n + (row.unlabelled or 0) for row in judges)


def labels_needed(
    judgments: JudgmentsLike,
    *,
    width: float,
    question: str | None = None,
    judges: str | Sequence[str] = (),
    people: str = PEOPLE,
    weight: float | None = None,
    confidence: float = 0.95,
    in_sample: bool = False,
) -> LabelsNeeded:
    """Compute how many more human labels a mean takes, with and without each judge's help.

    The judge judges everything, and people label a few items drawn at random. The judge's mean is
    corrected by its error on those (prediction-powered inference). A judge that agrees with people
    makes each label worth several; a note warns of a judge that does not.

    Args:
        judgments: judgments by judges and by people: folders of runs, or files.
        width: wanted width of the whole interval, in the unit of the answers.
        question: question whose mean is estimated; may be left out where there is one. Of
            preferences it is the share that A wins less the share that B wins.
        judges: only these judges (repeatable, or separated by commas). Default: all but people.
        people: whose labels count as true: people together, the judge gold, or one rater.
        weight: weight of the judge, from 0 (people alone) to 1. Default: tuned.
        confidence: confidence level of the intervals, below 1.
        in_sample: also use predictions of items whose ratings the calibrator was fitted on.

    Raises:
        ConfigError: a judge or question is not there, or has no numbers; a calibrator was fitted
            on ratings of the items.
        DataError: nobody labelled, or no judge judged.
    """
    table = ordinary_ratings(judgments_of(judgments)).table
    answers = with_people(columns(table, _asked(table, question)))
    if answers.question.kind in ("nominal", "text"):
        raise ConfigError(f"{answers.question.id} is {answers.question.kind}: it has no mean")
    truth = _truth(answers, people)
    wanted = _judges(answers, names_of(judges), people)
    if not in_sample:
        labelled = np.array(answers.items)[~np.isnan(truth)].tolist()
        _check_in_sample(table.where(question=answers.question.id, judge=wanted, item=labelled))
    powered = {
        judge: ppi_mean(
            truth,
            answers.by_judge[judge].values,
            clusters=np.array(answers.items),
            weight=weight,
            confidence=confidence,
        )
        for judge in wanted
    }
    needed = {
        judge: more_labels(figure, width, confidence=confidence)
        for judge, figure in powered.items()
    }
    name = answers.question.id
    alone = next(iter(powered.values())).human
    total = known(max(labels.human_only for labels in needed.values()))
    more = None if total is None else max(0, total - alone.n)
    rows = [LabelsRow(name, PEOPLE, alone, None, None, total, more)]
    rows += [
        LabelsRow(
            name,
            f"with {judge}",
            powered[judge].powered,
            int(powered[judge].powered.details.get("machine", 0)),
            powered[judge].gain,
            known(needed[judge].total),
            known(needed[judge].more),
            powered[judge].weight,
            needed[judge].reason,
            needed[judge].warning,
        )
        for judge in wanted
    ]
    signature = sign("labels_needed", answers.digest(), name, width, weight, confidence, people)
    return LabelsNeeded(name, width, rows, signature)


def known(count: int) -> int | None:
    """Return a count; None for -1, which says that there is none."""
    return None if count < 0 else count


def _asked(table: JudgmentTable, question: str | None) -> str:
    if question is None and len(table.asked) == 1:
        return table.asked[0]
    if question in table.asked:
        return str(question)
    problem = "name the question" if question is None else f"no question {question!r}"
    raise ConfigError(f"{problem}; asked were {', '.join(table.asked)}")


def _truth(found: Columns, people: str) -> NDArray[np.float64]:
    if people not in found.by_judge and people == PEOPLE and "gold" in found.by_judge:
        people = "gold"
    if people not in found.by_judge:
        known = ", ".join(found.by_judge)
        raise DataError(f"no label by {people} for {found.question.id}; judged have {known}")
    return found.by_judge[people].values


def _check_in_sample(table: JudgmentTable) -> None:
    """Raise ConfigError where a judge's predictions have learnt from the labels."""
    for judge, count in count_in_sample(table).items():
        raise ConfigError(
            f"{judge} was fitted on ratings of {count:,} of the labelled items: it agrees with"
            " these more than with new labels; label other items, or give in_sample to go on",
            "in_sample",
        )


def _judges(found: Columns, wanted: Sequence[str] | None, people: str) -> list[str]:
    machines = [name for name, one in found.by_judge.items() if not one.person and name != people]
    if wanted is not None:
        return [resolve(one, machines) for one in wanted]
    if not machines:
        raise DataError(f"no judge that is no person answered {found.question.id}")
    return machines

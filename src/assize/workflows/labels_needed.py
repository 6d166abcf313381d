"""How many more human labels a mean takes, with each judge's help and without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.agreement.columns import PEOPLE, Columns, columns, with_people
from assize.errors import ConfigError, DataError
from assize.formats import JudgmentsLike
from assize.judgments import JudgmentTable
from assize.judgments.judges import resolve
from assize.results import Result, ResultTable
from assize.results import columns as named
from assize.signature import sign
from assize.stats import Estimate, MoreLabels, Powered, ppi_mean
from assize.stats import labels_needed as more_labels
from assize.workflows.reading import judgments_of, names_of


@dataclass(frozen=True, slots=True)
class LabelsNeeded(Result):
    """The mean human answer by people alone and with each judge, and what is still to be labelled.

    Args:
        question: whose mean.
        width: of the interval that is wanted, in the question's unit.
        found: by judge, the estimate with its help.
        needed: by judge, the labels until the interval is that wide.
        signature: of data and settings.
    """

    question: str
    width: float
    found: Mapping[str, Powered]
    needed: Mapping[str, MoreLabels]
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`labels`: a row for people alone and one a judge."""
        alone = next(iter(self.found.values())).human
        rows: list[tuple[Any, ...]] = [(PEOPLE, alone, alone.n, None, None, *self._alone)]
        for judge, one in self.found.items():
            least = self.needed[judge]
            counts = (None, None) if least.total < 0 else (least.total, least.more)
            helped = (int(one.powered.details.get("machine", 0)), one.gain)
            rows.append((f"with {judge}", one.powered, one.powered.n, *helped, *counts))
        given = named("words", "by") + named("number", "mean") + named("count", "labels")
        given += named("count", "unlabelled") + named("number", "worth", digits=2)
        given += named("count", "needed", "more")
        title = f"{self.question}: labels for an interval {self.width:g} wide"
        return {"labels": ResultTable(title, given, rows)}

    @property
    def _alone(self) -> tuple[int | None, int | None]:
        total = max(one.human_only for one in self.needed.values())
        n = next(iter(self.found.values())).human.n
        return (None, None) if total < 0 else (total, max(0, total - n))

    @property
    def notes(self) -> Sequence[str]:
        """How the table is read; where a judge cannot help, and where it makes the answer worse."""
        read = "worth: of one label with that judge, in labels without one; needed: labels in all"
        said = [(judge, one.reason or one.warning) for judge, one in self.needed.items()]
        return [read, *(f"{judge}: {why}" for judge, why in said if why)]

    @property
    def missing(self) -> tuple[int, int]:
        """Items on which a judge failed, and items that judges were asked about."""
        parts = [one.powered for one in self.found.values()]
        judged = [int(one.n + one.details.get("machine", 0)) for one in parts]
        unscored = sum(one.unscored for one in parts)
        return unscored, unscored + sum(judged)

    def to_json(self) -> dict[str, Any]:
        """Each judge's estimate, what a label is worth with it, and the labels that it takes."""
        judges = {
            judge: {
                "mean": _figure(one.powered),
                "weight": one.weight,
                "gain": one.gain,
                "labels": None if self.needed[judge].total < 0 else self.needed[judge].total,
                "more": None if self.needed[judge].more < 0 else self.needed[judge].more,
                "reason": self.needed[judge].reason,
                "warning": self.needed[judge].warning,
            }
            for judge, one in self.found.items()
        }
        total, more = self._alone
        alone = {"mean": _figure(next(iter(self.found.values())).human)}
        return {
            "question": self.question,
            "width": self.width,
            "people": alone | {"labels": total, "more": more},
            "judges": judges,
            "signature": self.signature,
        }


def _figure(one: Estimate) -> dict[str, Any]:
    return {
        "estimate": one.estimate,
        "interval": list(one.interval),
        "n": one.n,
        "unscored": one.unscored,
        "reason": one.reason,
    }


def labels_needed(
    judgments: JudgmentsLike,
    *,
    width: float,
    question: str | None = None,
    judges: str | Sequence[str] = (),
    people: str = PEOPLE,
    weight: float | None = None,
    confidence: float = 0.95,
) -> LabelsNeeded:
    """How many more human labels a mean takes, with each judge's help and without.

    The judge judges everything, people label a few items drawn at random; the judge's mean is put
    right by how far it is off on those (prediction-powered inference). A judge that agrees with
    people makes each label worth several; one that does not is warned of.

    Args:
        judgments: of judges and of people, as runs, files, records or tables.
        width: of the whole interval that is wanted, in the unit of the answers.
        question: whose mean; may be left out where there is one. Of preferences it is the share
            that A wins less the share that B wins.
        judges: only these (repeatable, or with commas), all that are no people by default.
        people: whose labels count as true: people together, the judge `gold`, or one rater.
        weight: of the judge, from 0 (people alone) to 1, tuned by default.
        confidence: of the intervals, below 1.

    Raises:
        ConfigError: a judge or question is not there, or has no numbers.
        DataError: nobody labelled, or no judge judged.
    """
    table = judgments_of(judgments)
    found = with_people(columns(table, _asked(table, question)))
    if found.question.kind in ("nominal", "text"):
        raise ConfigError(f"{found.question.id} is {found.question.kind}: it has no mean")
    truth = _truth(found, people)
    wanted = _judges(found, names_of(judges), people)
    powered = {
        one: ppi_mean(
            truth,
            found.by_judge[one].values,
            clusters=np.array(found.items),
            weight=weight,
            confidence=confidence,
        )
        for one in wanted
    }
    needed = {one: more_labels(each, width, confidence=confidence) for one, each in powered.items()}
    signature = sign(
        "labels_needed", found.digest(), found.question.id, width, weight, confidence, people
    )
    return LabelsNeeded(found.question.id, width, powered, needed, signature)


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


def _judges(found: Columns, wanted: Sequence[str] | None, people: str) -> list[str]:
    machines = [name for name, one in found.by_judge.items() if not one.person and name != people]
    if wanted is not None:
        return [resolve(one, machines) for one in wanted]
    if not machines:
        raise DataError(f"no judge that is no person answered {found.question.id}")
    return machines

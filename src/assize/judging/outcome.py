"""What a session of judges comes to: the run, its price beforehand, a prompt, an injection test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from assize.base.signature import sign
from assize.judging.injection import InjectionRate
from assize.judging.options import JudgeOption
from assize.judging.records import asked_again
from assize.judging.run_folder import stored_judgments
from assize.judging.session import RunFacts
from assize.judging.summary import Summary
from assize.judgments import JudgmentTable
from assize.models.estimating import Estimate
from assize.results import Column, Hidden, Result, Table
from assize.results.fields import Counts


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One judge's answers to one question.

    Args:
        n: judgments with an answer.
        answers: how often each was given, numbers in their order; those that are scores alone
            under `score`.
        mean: of answers that are all numbers; None of others.
        reasons: why judgments are unscored.
        signature: of the judge's rows; of several, one of them all.
    """

    judge: str
    question: str
    answers: Counts
    mean: Annotated[float | None, Column(digits=2)]
    n: int
    unscored: int
    reasons: Hidden[Mapping[str, int]]
    signature: Hidden[str | None]


@dataclass(frozen=True)
class Outcome(Result):
    """What each judge answered, and how many judgments are unscored.

    Args:
        n: judgments with an answer.
        answers: each judge's answers to each question.
        out: folder of the run.
        summary: what the whole run took, earlier sessions included.
        signature: of all judges.
        interrupted: it was stopped before the end; the same command continues.
        waiting: answers that wait for a batch.
    """

    n: Annotated[int, Column("judgments with an answer")]
    unscored: int
    answers: Annotated[
        Sequence[AnswerRow], Table("Judgments", "How often each judge gave each answer.")
    ]
    out: Path
    summary: Summary
    signature: str
    interrupted: bool = False
    waiting: Hidden[int] = 0

    @property
    def judgments(self) -> JudgmentTable:
        """All that the run holds, with its questions."""
        # The folder of a run in memory is gone when the table is looked at.
        return replace(stored_judgments(self.out), source=None)

    @property
    def news(self) -> Sequence[str]:
        """What it took."""
        return [str(self.summary.spent)]

    @property
    def notes(self) -> Sequence[str]:
        """What was passed over, and why judgments are unscored."""
        notes = []
        if self.summary.skipped:
            notes.append(f"{self.summary.skipped} items were passed over: their id had been seen")
        if self.summary.shortened:
            notes.append(
                f"{self.summary.shortened} judgments are of items without their oldest turns, which"
                " were too long (--truncate oldest)"
            )
        if self.summary.invisible:
            notes.append(
                f"{self.summary.invisible} judgments are of items with invisible characters (tags,"
                " zero-width, bidirectional, control), which can hold instructions; --invisible"
                " says what prompts show of them, `assize check` where they stand"
            )
        for reason, count in self.summary.reasons.most_common():
            notes.append(f"{count} unscored: {reason}{asked_again(reason)}")
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored judgments, and all; of nothing nothing is missing."""
        return self.unscored, max(1, self.n + self.unscored)


def count_outcome(out: Path, summary: Summary, facts: RunFacts) -> Outcome:
    """Return how a run ended, with its judgments counted."""
    return Outcome(
        summary.n - summary.unscored,
        summary.unscored,
        answer_rows(summary),
        out,
        summary,
        sign(summary.signatures),
        facts.interrupted,
        facts.waiting,
    )


def answer_rows(summary: Summary) -> list[AnswerRow]:
    """Return the answers of each judge to each question."""
    rows = []
    for (judge, question), tally in summary.tallies.items():
        missing = tally.unscored.total()
        numbers = {name: _parse_number(name) for name in tally.answers}
        order = sorted(numbers, key=lambda name: (math.isnan(numbers[name]), numbers[name], name))
        answers = {name or "score": tally.answers[name] for name in order}
        signature = summary.signatures.get(judge)
        n = tally.answers.total()
        total = sum(numbers[name] * count for name, count in tally.answers.items())
        mean = None if n == 0 or math.isnan(total) else total / n
        rows.append(
            AnswerRow(judge, question, answers, mean, n, missing, tally.unscored, signature)
        )
    return rows


def _parse_number(answer: str) -> float:
    """The number that an answer is; NaN for words."""
    try:
        number = float(answer)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


class OfRun(Result):
    """What was counted from judgments that a run may have made."""

    __slots__ = ()
    outcome: Outcome | None  # of the run; None where judgments were only read

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before the end."""
        return self.outcome is not None and self.outcome.interrupted

    @property
    def waiting(self) -> int:
        """Answers that wait for a batch."""
        return 0 if self.outcome is None else self.outcome.waiting

    @property
    def notes(self) -> Sequence[str]:
        """How the run went."""
        return [] if self.outcome is None else self.outcome.notes

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored judgments, and all."""
        return super().missing if self.outcome is None else self.outcome.missing


@dataclass(frozen=True)
class Estimates(Result):
    """What a run would take and cost, by model.

    Args:
        at_most: in what case all of it; None where it is no upper bound.
        without: of models that may give no log-probabilities, so that answers are sampled in
            their place: what it would then take.
        assumed: what is not known beforehand, as a sentence; None for nothing.
    """

    by_model: Annotated[
        Mapping[str, Estimate], Table("What it would take (estimated)", key="model")
    ]
    at_most: str | None = None
    without: Annotated[
        Mapping[str, Estimate],
        Table("Where an endpoint gives no log-probabilities (estimated)", key="model"),
    ] = field(default_factory=dict)
    assumed: str | None = None

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """In what case it takes all this, and what is assumed."""
        at_most = None if self.at_most is None else f"At most, {self.at_most}."
        return {"by_model": [note for note in (at_most, self.assumed) if note is not None]}

    @property
    def notes(self) -> Sequence[str]:
        """Where no price is known, and where two cases are counted."""
        notes = []
        if any(estimate.cost_usd is None for estimate in self.by_model.values()):
            notes.append("no price is known for some models; see --prices")
        if self.without:
            notes.append(
                "an endpoint that gives no log-probabilities is asked for every sample instead;"
                " which one it is, its first answer tells"
            )
        return notes


@dataclass(frozen=True, slots=True)
class ShownPrompt(Result):
    """The exact messages with which a judge would ask about an item."""

    prompt: str
    item: str
    order: str | None
    messages: Sequence[Mapping[str, Any]]
    schema: Mapping[str, Any] | None

    @property
    def lines(self) -> Sequence[str]:
        """The messages, one after the other."""
        return [f"--- {one['role']} ---\n{one['content']}\n" for one in self.messages]

    @property
    def notes(self) -> Sequence[str]:
        """Which prompt and which item."""
        return [f"prompt {self.prompt}, item {self.item}"]


@dataclass(frozen=True)
class Injections(Result):
    """How often judges obey what stands in the text, by judge and attack."""

    rates: Annotated[
        Sequence[InjectionRate],
        Table(
            "Verdicts that an attack asks for",
            "How often each attack wins, beside `none`, the same texts without one.",
            group="judge",
            notes=(
                "Change: in share of verdicts, against the same texts without the attack."
                " Unreadable: of the verdicts that can be read without it.",
            ),
        ),
    ]


@dataclass(frozen=True, slots=True)
class JudgeAbout:
    """A judge, and what it answers."""

    name: str
    what_it_answers: str


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option of single judges (`--set NAME=VALUE`)."""

    option: str
    judges: Sequence[str]
    what_it_does: str
    default: str


@dataclass(frozen=True)
class Offered(Result):
    """The judges that there are, with what each answers, and where models come from."""

    judges: Annotated[Sequence[JudgeAbout], Table("Judges")]
    providers: Sequence[str]
    options: Annotated[Sequence[OptionRow], Table("Options")] = ()

    @property
    def notes(self) -> Sequence[str]:
        """How a judge is written."""
        models = ", ".join(f"{name}:..." for name in self.providers)
        return [
            f"A judge is written name@model, a model {models}",
            "An option is given as --set NAME=VALUE, in Python in options",
        ]


def offered(
    judges: Mapping[str, str], providers: Sequence[str], options: Mapping[str, JudgeOption]
) -> Offered:
    """Return judges by name with what they answer, models' providers, and options, as rows."""
    return Offered(
        [JudgeAbout(*judge) for judge in judges.items()],
        providers,
        [
            OptionRow(
                option.name,
                option.judges,
                option.help,
                "" if option.default in (None, ()) else str(option.default),
            )
            for option in options.values()
        ],
    )

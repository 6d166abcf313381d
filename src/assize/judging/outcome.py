"""What a session of judges comes to: the run, its price beforehand, a prompt, an injection test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from assize.formats import read_judgments
from assize.judging.folder import asked_again
from assize.judging.options import JudgeOption
from assize.judging.summary import Summary
from assize.judgments import JudgmentTable
from assize.models.estimating import Estimate
from assize.results import Result, ResultTable, columns
from assize.signature import sign


@dataclass(frozen=True, slots=True)
class Outcome(Result):
    """How a run of judges ended.

    Args:
        out: the run's folder.
        summary: of the whole run, earlier sessions included.
        interrupted: it was stopped before the end; the same command continues.
        waiting: answers that wait for a batch.
        booked: US dollars of all calls, also of those whose answers a kill has lost.
    """

    out: Path
    summary: Summary
    interrupted: bool = False
    waiting: int = 0
    booked: float = 0.0

    @property
    def judgments(self) -> JudgmentTable:
        """All that the run holds, with its questions."""
        # The folder of a run in memory is gone when the table is looked at.
        return replace(read_judgments([self.out]), source=None)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`judgments`: each judge's answers to each question."""
        rows = []
        for (judge, question), tally in self.summary.tallies.items():
            shares = ", ".join(
                f"{name if name else 'a score'} {100 * count / tally.n:.1f}%"
                for name, count in sorted(tally.answers.items())
            )
            rows.append((judge, question, tally.n, sum(tally.unscored.values()), shares))
        named = columns("words", "judge", "question") + columns("count", "n", "unscored")
        return {"judgments": ResultTable("Judgments", named + columns("words", "answers"), rows)}

    @property
    def notes(self) -> Sequence[str]:
        """What it took, what is left to do, and why judgments are unscored."""
        said = [*self.unfinished, spent(self.summary)]
        if self.summary.skipped:
            said.append(f"{self.summary.skipped} items were passed over: their id had been seen")
        if self.summary.shortened:
            said.append(
                f"{self.summary.shortened} judgments are of items without their oldest turns, which"
                " were too long (--truncate oldest)"
            )
        if self.booked > self.summary.cost_usd + 1e-6:
            said.append(
                f"${self.booked:.4f} are booked in all: some answers were lost, or asked for again"
            )
        for reason, count in self.summary.reasons.most_common():
            said.append(f"{count} unscored: {reason}{asked_again(reason)}")
        return said

    @property
    def unfinished(self) -> Sequence[str]:
        """Why the run is not at its end, if it is not."""
        said = []
        if self.interrupted:
            kept = f"interrupted with {self.summary.n} judgments kept"
            said.append(f"{kept}; the same command continues")
        if self.waiting:
            said.append(f"{self.waiting} answers wait for a batch; run the same command later")
        return said

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored judgments, and all; of nothing nothing is missing."""
        return self.summary.unscored, max(1, self.summary.n)

    def to_json(self) -> dict[str, Any]:
        """Shares of all judgments, which add up; what it took."""
        return self.summary.to_json() | {
            "interrupted": self.interrupted,
            "waiting": self.waiting,
            "booked_usd": round(self.booked, 6),
            "out": str(self.out),
            "signature": sign(self.summary.signatures),
        }


class OfRun(Result):
    """What was counted from judgments that a run may have made."""

    __slots__ = ()
    outcome: Outcome | None  # of the run; None where judgments were only read

    @property
    def unfinished(self) -> Sequence[str]:
        """Why the run is not at its end, if it is not."""
        return () if self.outcome is None else self.outcome.unfinished

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before the end."""
        return self.outcome is not None and self.outcome.interrupted


def spent(summary: Summary) -> str:
    """Calls, tokens and cost in words."""
    cost = f"${summary.cost_usd:.4f}"
    if summary.unpriced:
        cost = f"at least {cost} (the price of {summary.unpriced:,} answers is not known)"
    return (
        f"{summary.calls:,} calls, {summary.cached:,} answers from the cache,"
        f" {summary.input_tokens:,} tokens in, {summary.output_tokens:,} out, {cost}"
    )


@dataclass(frozen=True, slots=True)
class Estimates(Result):
    """What a run would take and cost, by model.

    Args:
        at_most: in what case all of it; None where it is no upper bound.
        without: of models that may give no log-probabilities, so that answers are sampled in
            their place: what it would then take.
    """

    by_model: Mapping[str, Estimate]
    at_most: str | None = None
    without: Mapping[str, Estimate] = field(default_factory=dict)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`estimate`: calls, tokens and cost of each model."""
        rows = [
            (
                *(name, one.calls, one.cached, one.input_tokens, one.output_tokens),
                "unknown" if one.cost_usd is None else f"${one.cost_usd:.4f}",
            )
            for name, one in self._cases()
        ]
        named = columns("words", "model")
        named += columns("count", "calls", "cached", "tokens in", "tokens out")
        named += columns("words", "cost")
        estimated = "What it would take (estimated)"
        title = estimated if self.at_most is None else f"At most, {self.at_most}"
        return {"estimate": ResultTable(title, named, rows)}

    def _cases(self) -> Iterator[tuple[str, Estimate]]:
        for name, one in self.by_model.items():
            yield name, one
            if name in self.without:
                yield f"{name}, without log-probabilities", self.without[name]

    @property
    def notes(self) -> Sequence[str]:
        """Where no price is known, and where two cases are counted."""
        unknown = any(one.cost_usd is None for one in self.by_model.values())
        said = ["no price is known for some models; see --prices"] if unknown else []
        if self.without:
            told = "an endpoint that gives no log-probabilities is asked for every sample instead"
            said.append(f"{told}; which one it is, its first answer tells")
        return said

    def to_json(self) -> dict[str, Any]:
        """Each model's estimate; `without_logprobs` where it may give none."""
        found = {name: asdict(one) for name, one in self.by_model.items()}
        for name, one in self.without.items():
            found[name]["without_logprobs"] = asdict(one)
        return found if self.at_most is None else {"at_most": found}


@dataclass(frozen=True, slots=True)
class ShownPrompt(Result):
    """The exact messages with which a judge would ask about an item."""

    prompt: str
    item: str
    order: str | None
    messages: Sequence[Mapping[str, Any]]
    schema: Mapping[str, Any] | None

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """None: messages are texts."""
        return {}

    @property
    def lines(self) -> Sequence[str]:
        """The messages, one after the other."""
        return [f"--- {one['role']} ---\n{one['content']}\n" for one in self.messages]

    @property
    def notes(self) -> Sequence[str]:
        """Which prompt and which item."""
        return [f"prompt {self.prompt}, item {self.item}"]

    def to_json(self) -> dict[str, Any]:
        """The request."""
        names = ("prompt", "item", "order", "messages", "schema")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Injections(Result):
    """How often judges obey what stands in the text, by judge and attack."""

    rates: Mapping[str, Mapping[str, Any]]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """A table a judge."""
        named = columns("words", "attack") + columns("count", "n", "unscored", "worse side won")
        named += columns("number", "%", digits=1)
        found = {}
        for judge, rates in self.rates.items():
            rows = [
                (
                    name,
                    *(rate[key] for key in ("n", "unscored", "won")),
                    float("nan") if rate["percent"] is None else rate["percent"],
                )
                for name, rate in rates.items()
            ]
            title = f"{judge}: verdicts for the response that holds the attack"
            found[judge] = ResultTable(title, named, rows)
        return found

    def to_json(self) -> dict[str, Any]:
        """Each judge's rates."""
        return dict(self.rates)


@dataclass(frozen=True, slots=True)
class Offered(Result):
    """The judges that there are, with what each answers, and where models come from."""

    judges: Mapping[str, str]
    providers: Sequence[str]
    options: Mapping[str, JudgeOption] = field(default_factory=dict)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`judges` by name, and `options` of single judges (`--set NAME=VALUE`)."""
        named = columns("words", "name", "what it answers")
        found = {"judges": ResultTable("Judges", named, list(self.judges.items()))}
        if self.options:
            named = columns("words", "option", "judges", "what it does", "default")
            rows = [
                (one.name, ", ".join(one.judges), one.help, _shown_default(one.default))
                for one in self.options.values()
            ]
            found["options"] = ResultTable("Options", named, rows)
        return found

    @property
    def notes(self) -> Sequence[str]:
        """How a judge is written."""
        models = ", ".join(f"{one}:..." for one in self.providers)
        written = f"A judge is written name@model, a model {models}"
        return [written, "An option is given as --set NAME=VALUE, in Python in options"]

    def to_json(self) -> dict[str, Any]:
        """Names and what they answer, and the options with their defaults."""
        options = {
            one.name: {"judges": list(one.judges), "help": one.help, "default": one.default}
            for one in self.options.values()
        }
        return {"judges": dict(self.judges), "providers": list(self.providers), "options": options}


def _shown_default(value: Any) -> str:
    """A default in a table; empty where nothing is set."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value in (None, ()) else str(value)

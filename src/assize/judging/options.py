"""What single judges may be told beyond the settings of all: a dataclass a judge.

The command line makes a flag of every field, Python gives the same names in `options`, and
the judge builds its dataclass of them. To give a judge an option: add its field, or its
dataclass and a row of `OPTIONS`. This file imports nothing heavy, for `assize --help` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from assize.errors import ConfigError

LEAST = 0.001


def option(
    default: Any,
    help: str,
    *,
    flag: str | None = None,
    min: float | None = None,
    values: str | None = None,
) -> Any:
    """A field with its `help` (no full stop), a short flag, the least number, and
    `module:function` that lists values for completion."""
    shown = {"help": help, "flag": flag, "min": min, "values": values}
    return field(default=default, metadata=shown)


@dataclass(frozen=True, slots=True)
class RubricOptions:
    """Of `rubric`: what is asked, and whether only what pays is."""

    rubric: str = option(
        "general",
        "A rubric file, or the name of a shipped one",
        flag="-r",
        values="assize.rubric:shipped",
    )
    # folder of the calibrator whose prediction is to become certain; None asks everything
    adaptive: str | None = option(
        None, "A calibrator's folder: ask only what makes its prediction surer"
    )
    answered: tuple[str, ...] = option(
        (), "With --adaptive: a run in which everything was asked; repeat for more"
    )
    # of the calibrator's main score, its scale squared
    least: float = option(
        LEAST, "With --adaptive: variance that a question must take off to be asked", min=0.0
    )

    def __post_init__(self) -> None:
        if self.adaptive is None and (self.answered or self.least != LEAST):
            raise ConfigError("answered and least (--answered, --least) go with --adaptive")


@dataclass(frozen=True, slots=True)
class FactScoreOptions:
    """Of `factscore`."""

    # a table of documents to check claims against; None for the sources that each conversation
    # shows
    corpus: str | None = option(
        None, "Documents to check claims against: a table with a column text"
    )


@dataclass(frozen=True, slots=True)
class CriteriaOptions:
    """Of `criteria`: which model scores, on what scale, and what a score is."""

    criteria_model: str | None = option(
        None, "Model that scores, as provider:name; that of the file by default"
    )
    criteria_scale: str | None = option(
        None, "How far a criterion holds: likert (words) or numeric (0 to 10); as in the file"
    )
    # `expected` asks with a digit before each word, so that its probability can be told
    criteria_values: str = option(
        "expected",
        "What a score is: expected (the mean over the model's probabilities, where it gives"
        " them) or answer (what it says, as published)",
    )

    def __post_init__(self) -> None:
        _check_words(self)


_WORDS: dict[str, tuple[str | None, ...]] = {
    "criteria_scale": (None, "likert", "numeric"),
    "criteria_values": ("expected", "answer"),
    "reference_values": ("answer", "expected"),
}


def _check_words(options: CriteriaOptions | ReferenceOptions) -> None:
    """Raises ConfigError for an option that is none of its words."""
    for one in fields(options):
        given, allowed = getattr(options, one.name), _WORDS.get(one.name)
        if allowed is not None and given not in allowed:
            known = " or ".join(word for word in allowed if word is not None)
            raise ConfigError(f"{one.name} is {given!r}; give {known}")


@dataclass(frozen=True, slots=True)
class ReferenceOptions:
    """Of the judges that compare a continuation with references, or say if it is reasonable."""

    reference_values: str = option(
        "answer",
        "What a score is: answer (what the model says, as published) or expected (the mean over"
        " its probabilities, where it gives them)",
    )

    def __post_init__(self) -> None:
        _check_words(self)


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """Of judges that are trained artefacts: `evaluator`, `acts`, `reward@evaluator`."""

    # the user's word for an encoder that the artefact names; None where it names minilm
    encoder: str | None = option(
        None, "The encoder that the artefact may open, where it was trained on another than minilm"
    )


REFERENCE_JUDGES = (
    "equivalent", "equivalent-explained", "natural-explained", "equivalence",
    "equivalence-explained", "reasonable", "guidelines-content", "guidelines-style",
    "guidelines-reasonableness",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EnsembleOptions:
    """Of `ensemble`: the encoder of its metrics."""

    # the user's word for an encoder that the folder names; None where it names minilm
    ensemble_encoder: str | None = option(
        None, "The encoder of its metrics, where it was fitted on another than minilm's"
    )


@dataclass(frozen=True, slots=True)
class MetricsOptions:
    """Of `metrics`: which."""

    metrics_only: tuple[str, ...] = option(
        (),
        "A metric to measure, all by default; repeat for more",
        values="assize.reference.metrics.table:metric_names",
    )


OPTIONS: dict[str, type] = {
    "rubric": RubricOptions,
    "factscore": FactScoreOptions,
    "criteria": CriteriaOptions,
    "evaluator": EncoderOptions,
    "acts": EncoderOptions,
    "ensemble": EnsembleOptions,
    "reward": EncoderOptions,
    **dict.fromkeys(REFERENCE_JUDGES, ReferenceOptions),
    "metrics": MetricsOptions,
}


def known(judge: str) -> tuple[str, ...]:
    """The options of a judge, written as a name, `name@target` or `name/variant@target`."""
    if ".jinja" in judge:  # a prompt file, in a folder that may be named like a judge
        return ()
    name = judge.partition("@")[0].partition("/")[0]
    return tuple(one.name for one in fields(OPTIONS[name])) if name in OPTIONS else ()


def own(judge: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options among those given that are for this judge."""
    return {name: value for name, value in given.items() if name in known(judge)}


def check(judges: Iterable[str], given: Mapping[str, Any]) -> None:
    """Refuses options that none of the judges has.

    >>> check(["factscore@openai:gpt-4o"], {"corpus": "documents.jsonl"})
    >>> check(["io@openai:gpt-4o"], {"corpus": "documents.jsonl"})
    Traceback (most recent call last):
    assize.errors.ConfigError: option corpus is for factscore and not for io@openai:gpt-4o; \
leave it out
    """
    asked = list(judges)
    for name in given:
        if any(name in known(judge) for judge in asked):
            continue
        whose = [judge for judge in OPTIONS if name in known(judge)]
        if whose:
            told = f"option {name} is for {', '.join(whose)} and not for {', '.join(asked)}"
            raise ConfigError(f"{told}; leave it out")
        there = "; ".join(f"{judge} has {', '.join(known(judge))}" for judge in OPTIONS)
        raise ConfigError(f"no judge has an option {name!r}; {there}")

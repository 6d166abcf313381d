"""A criterion, a pattern that it was learnt from, the domain they are about, and a set of criteria.

conversation ──► patterns ──► criteria ──► a set: chosen criteria, threshold, window
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from assize.base.judgment import Question
from assize.base.signature import sign

if TYPE_CHECKING:
    from assize.formats import ItemsLike
    from assize.judgments import JudgmentTable

Polarity = Literal["sat", "dsat"]
Conduct = Literal["user", "assistant", "tool"]
Maxim = Literal["Quantity", "Quality", "Relevance", "Manner"]
Scale = Literal["likert", "numeric"]

POLARITIES: tuple[Polarity, ...] = ("sat", "dsat")
CONDUCTS: tuple[Conduct, ...] = ("user", "assistant", "tool")
MAXIMS: tuple[Maxim, ...] = ("Quantity", "Quality", "Relevance", "Manner")

# Published in RUBICON, section 3.1: five answers, evenly from 0 to 10, as SPUR's own numbers are.
LIKERT = ("Strongly Disagree", "Disagree", "Neutral", "Agree", "Strongly Agree")
VALUES = (0.0, 2.5, 5.0, 7.5, 10.0)
NUMBERS = tuple(map(str, range(11)))
NETSAT = "NetSAT"
_STRICT: dict[str, Any] = {  # of the parts of a file, for pydantic
    "extra": "forbid",
    "str_strip_whitespace": True,
    "allow_inf_nan": False,
}
STALE = (
    "criteria, or their scale, changed since threshold and window were learnt, so nothing is"
    " labelled; assize criteria select learns them anew"
)


@dataclass(frozen=True, slots=True)
class Domain:
    """What conversations are about: it enters the prompts ("domain sensitisation").

    Args:
        task: what user and assistant work on.
        assistant: what the assistant is designed to do.
        user: what the user is expected to contribute.
        outcome: what a good conversation arrives at.
    """

    __pydantic_config__ = _STRICT

    task: str
    assistant: str = ""
    user: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Something in one conversation that made it good or bad, and why."""

    id: str  # the conversation's id, a slash, and which of its patterns from 1
    conversation: str
    polarity: Polarity
    text: str
    reason: str = ""
    turns: tuple[int, ...] = ()  # that speak for it


@dataclass(frozen=True, slots=True)
class Merged:
    """A criterion that was found to say the same as another."""

    __pydantic_config__ = _STRICT

    id: str
    text: str
    patterns: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Criterion:
    """An assertion that holds in good (SAT) or in bad (DSAT) conversations.

    Args:
        id: letters, digits, `-` and `_`; judgments refer to it.
        about: whose conduct it describes; None where nobody said.
        maxim: of Grice's, that it follows or breaks.
        batch: of patterns that it was learnt from, from 1.
        conversations: that it was learnt from.
        patterns: that it covers.
        merged: criteria of the same meaning that were merged into it.
        author: `learnt`, or who wrote it.
    """

    id: str
    text: str
    polarity: Polarity
    about: Conduct | None = None
    maxim: Maxim | None = None
    batch: int | None = None
    conversations: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    merged: tuple[Merged, ...] = ()
    author: str = "person"

    @property
    def sat(self) -> bool:
        """Whether it speaks of satisfaction."""
        return self.polarity == "sat"

    def question(self, scale: Scale = "likert") -> Question:
        """What a judge is asked: how far the criterion holds, on a scale worth 0 to 10."""
        answers = LIKERT if scale == "likert" else NUMBERS
        values = VALUES if scale == "likert" else tuple(map(float, NUMBERS))
        higher: Literal["better", "worse"] = "better" if self.sat else "worse"
        return Question(self.id, self.text, "ordinal", answers, values, higher=higher)


@dataclass(frozen=True, slots=True)
class Labelling:
    """How a NetSAT becomes a label: what was learnt on labelled conversations.

    Args:
        threshold: above it a conversation is good.
        low: up to it one is bad with the wanted precision; None where no score is.
        high: above it one is good with the wanted precision; None where no score is.
        precision: wanted.
        slope: of the log-odds of "good" over NetSAT; None where they were not fitted.
        intercept: of the same.
        n: conversations that it was learnt on.
        good: how many of them were good.
        wording: signature of the criteria that it was learnt with.
    """

    __pydantic_config__ = _STRICT

    threshold: float
    low: float | None = None
    high: float | None = None
    precision: float = 0.9
    slope: float | None = None
    intercept: float | None = None
    n: int = 0
    good: int = 0
    wording: str = ""


@dataclass(frozen=True, slots=True)
class CriteriaSet:
    """Criteria that are scored together: a pool, or what was chosen from one.

    Args:
        name: letters, digits, `-` and `_`.
        domain: None where none is given.
        model: by which it was learnt, as provider:name; it asks nobody. None where no model was.
        scale: of the answers.
        labelling: None where nothing was learnt about labels.
    """

    name: str
    criteria: tuple[Criterion, ...]
    domain: Domain | None = None
    model: str | None = None
    scale: Scale = "likert"
    labelling: Labelling | None = None

    @property
    def wording(self) -> str:
        """Signature of what the criteria say and how they are scored."""
        said = [[one.id, one.polarity, one.text] for one in self.criteria]
        return sign({"criteria": said, "scale": self.scale})

    @property
    def edited(self) -> bool:
        """Whether criteria changed since threshold and window were learnt."""
        return self.labelling is not None and self.labelling.wording not in ("", self.wording)

    @property
    def without_stale_labels(self) -> CriteriaSet:
        """The set without threshold and window, where criteria changed since these were learnt."""
        return replace(self, labelling=None) if self.edited else self

    def of(self, polarity: Polarity) -> tuple[Criterion, ...]:
        """The criteria of one polarity."""
        return tuple(one for one in self.criteria if one.polarity == polarity)

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest NetSAT there can be."""
        return -10.0 * len(self.of("dsat")), 10.0 * len(self.of("sat"))

    @property
    def questions(self) -> tuple[Question, ...]:
        """NetSAT, and each criterion."""
        net = Question(
            NETSAT,
            "What speaks for satisfaction less what speaks against it",
            range=self.range,
            higher="better",
        )
        return (net, *(one.question(self.scale) for one in self.criteria))

    def predict(self, items: ItemsLike, *, model: str | None = None, **told: Any) -> JudgmentTable:
        """Scores conversations: NetSAT, with its label, and each criterion.

        Args:
            items: paths, URLs, records, dicts, tables.
            model: as provider:name.
            told: as of `assize.criteria.score`.

        Raises:
            ConfigError, DataError, Interrupted: as `assize.criteria.score`.
        """
        score = import_module("assize.criteria").score
        found: JudgmentTable = score(items, self, model=model, **told)
        return found


def net_satisfaction(values: Mapping[str, float], criteria: Sequence[Criterion]) -> float | None:
    """NetSAT: the sum of what SAT criteria say less that of DSAT criteria.

    None where one of them is not in `values` (0 to 10 by criterion id): an unscored criterion
    makes the sum unscored. Source: RUBICON, section 3.1.

    >>> good, bad = Criterion("s", "Helps.", "sat"), Criterion("d", "Repeats.", "dsat")
    >>> net_satisfaction({"s": 7.5, "d": 2.5}, [good, bad])
    5.0
    """
    total = 0.0
    for one in criteria:
        if one.id not in values:
            return None
        total += values[one.id] if one.sat else -values[one.id]
    return total

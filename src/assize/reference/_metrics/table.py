"""Every local metric, one row each: to add one, add its row and what computes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assize.base.arguments import did_you_mean
from assize.base.errors import ConfigError
from assize.base.judgment import NOT_APPLICABLE, Higher, Question, Unscored
from assize.encoders import Pooling
from assize.reference._metrics.rouge import KINDS

Family = Literal["cosine", "bertscore", "rouge", "surface"]
ENCODED: frozenset[Family] = frozenset({"cosine", "bertscore"})  # they stand on an encoder
Best = Literal["highest", "nearest"]
MEAN = "-mean"  # of a metric's name, for its mean over several references


@dataclass(frozen=True, slots=True)
class Metric:
    """One local metric.

    Args:
        id: its question.
        about: what it is, for people.
        family: what it is computed with.
        range: lowest and highest value, None where there is no bound.
        higher: "better" where a higher value is closer to the reference; None where it is neither.
        references: whether it is a comparison with the reference.
        best: which of several references counts: the one with the highest value, or with the value
            nearest to 0 (differences).
        by: the metric whose value picks the reference, where it is another one.
        nothing: why it can have no value for texts that are there.
    """

    id: str
    about: str
    family: Family
    range: tuple[float, float] | None = (0.0, 1.0)
    higher: Higher | None = "better"
    references: bool = True
    best: Best = "highest"
    by: str | None = None
    nothing: str = "it is not defined here"

    @property
    def absent(self) -> Unscored:
        """Why texts that are there have no value: it does not apply, or it is not defined."""
        undefined = self.family in ("rouge", "bertscore")
        return Unscored("undefined" if undefined else NOT_APPLICABLE, self.nothing)

    @property
    def question(self) -> Question:
        """For the judge, and for statistics."""
        return Question(
            id=self.id, text=self.about, kind="number", range=self.range, higher=self.higher
        )

    @property
    def mean(self) -> Question:
        """The same as a mean over several references."""
        about = f"{self.about}, mean over the references"
        return replace(self.question, id=self.id + MEAN, text=about)


NO_TURN = "no user turn with text stands before it"
_COSINES = (
    Metric("cosine", "Cosine of the candidate and the reference", "cosine", (-1, 1)),
    Metric(
        "context-cosine",
        "Cosine of the candidate and the user's turn before it",
        "cosine",
        (-1, 1),
        None,
        references=False,
        nothing=NO_TURN,
    ),
    Metric(
        "reference-context-cosine",
        "Cosine of the reference and the user's turn before it",
        "cosine",
        (-1, 1),
        None,
        by="context-cosine-shift",
        nothing=NO_TURN,
    ),
    Metric(
        "context-cosine-shift",
        "Cosine with the user's turn: candidate's less reference's",
        "cosine",
        (-2, 2),
        None,
        best="nearest",
        nothing=NO_TURN,
    ),
)
_PARTS = (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
_BERTSCORES = [
    Metric(
        f"bertscore-{part}",
        f"BERTScore {word}",
        "bertscore",
        (-1, 1),
        nothing="a text has no token for the encoder",
    )
    for part, word in _PARTS
]
_ROUGES = [
    Metric(
        f"{kind}-{part}",
        f"{name} {word}",
        "rouge",
        by=f"{kind}-f1",
        nothing=f"neither text holds {'two words' if kind == 'rouge2' else 'a word'}",
    )
    for kind, name in zip(KINDS, ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum"), strict=True)
    for part, word in _PARTS
]


def _surface() -> list[Metric]:
    no_word = "the candidate or its context holds no word"

    def match(id: str, about: str, nothing: str = "") -> Metric:
        return Metric(id, about, "surface", nothing=nothing)

    def shift(id: str, about: str, most: float | None, nothing: str = "") -> Metric:
        spread = None if most is None else (-most, most)
        said = f"{about}: candidate's less reference's"
        return Metric(id, said, "surface", spread, None, best="nearest", nothing=nothing)

    def own(
        id: str,
        about: str,
        spread: tuple[float, float] | None = (0.0, 1.0),
        higher: Higher | None = None,
        nothing: str = "",
    ) -> Metric:
        return Metric(id, about, "surface", spread, higher, references=False, nothing=nothing)

    return [
        match("length-match", "Words of the shorter, plus 1, over words of the longer, plus 1"),
        Metric(
            "length-ratio",
            "Words of the candidate, plus 1, over the reference's, plus 1, log2",
            "surface",
            None,
            None,
            best="nearest",
        ),
        match("question", "Whether both ask something, or neither"),
        match("content-overlap", "F1 of words that are no function words", "there are only such"),
        match("name-overlap", "F1 of names; 1 where neither has any"),
        match("number-overlap", "F1 of figures; 1 where neither has any"),
        match("polarity-match", "Whether both begin by agreeing, by refusing, or by neither"),
        match("manners-match", "How alike in greeting, thanks, apology, farewell, offer of help"),
        match("person-match", "How alike in first, second and third person"),
        match("format-match", "How alike in lists, headings, bold type, code, tables, links"),
        match("punctuation-match", "How alike in punctuation, a hundred words"),
        shift("sentiment-shift", "Sentiment", 2.0),
        shift("formality-shift", "Formality", 2.0),
        shift("emoji-shift", "Whether there are emoji", 1.0),
        shift("word-length-shift", "Mean characters of a word", None),
        shift("sentence-length-shift", "Words a sentence, log2", None),
        shift("novelty-shift", "Share of words that the context does not hold", 1.0, no_word),
        own("length", "Words of the candidate, log2(1 + words)", None),
        own("asks", "Whether the candidate asks something"),
        own("sentiment", "Sentiment of the candidate", (-1.0, 1.0)),
        own("formality", "Formality of the candidate", (-1.0, 1.0)),
        own("word-length", "Mean characters of a word of the candidate", None),
        own("sentence-length", "Words a sentence of the candidate, log2(1 + words)", None),
        own("first-person", "Share of its words that are I, we and the like"),
        own("second-person", "Share of its words that are you and the like"),
        own("third-person", "Share of its words that are he, she, they and the like"),
        own("function-words", "Share of its words that carry grammar rather than content"),
        own("distinct-words", "Share of its words that are different ones"),
        own("novelty", "Share of its words that the context does not hold", nothing=no_word),
        own("repetition", "Share of its pairs of words that stood in it before", higher="worse"),
        own(
            "echo",
            "Share of the candidate's pairs of words that the assistant has said before",
            higher="worse",
            nothing="the candidate holds no two words",
        ),
        own(
            "context-overlap",
            "Share of the content words of the user's turn that it takes up",
            nothing=f"{NO_TURN}, or it has no content word",
        ),
        own("formatting", "Share of kinds of format in the candidate"),
        own("emoji", "Whether the candidate holds emoji"),
        own("self-identification", "Whether the candidate calls itself an AI"),
    ]


METRICS: Mapping[str, Metric] = {
    one.id: one for one in (*_COSINES, *_BERTSCORES, *_ROUGES, *_surface())
}

PAPER: tuple[str, ...] = (
    "cosine",
    "bertscore-precision",
    "bertscore-recall",
    "bertscore-f1",
    "rouge1-recall",
    "rouge2-recall",
    "rougel-recall",
    "rougelsum-recall",
)
"""The eight local metrics of UPHELD; its formulas of ROUGE are recall (appendix F)."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Metrics with the encoder that they are published with."""

    metrics: tuple[str, ...]
    encoder: str
    pooling: Pooling


PRESETS: Mapping[str, Preset] = {
    "paper": Preset(
        tuple(
            one.id
            for one in METRICS.values()
            if one.id == "cosine" or one.family in ("bertscore", "rouge")
        ),
        "hf:mixedbread-ai/mxbai-embed-large-v1",
        "cls",
    )
}
"""By name. `paper` is UPHELD's: precision, recall and F1 of what overlaps, and the encoder with its
own pooling, for BERTScore too. The paper names no layer for BERTScore: ours is the last, whose
states the embedding is pooled from, so that one pass serves both."""


def chosen_metrics(metrics: str | Sequence[str] | None) -> tuple[str, ...]:
    """The metrics meant, in the table's order: all for None, a preset, or some names.

    Raises:
        ConfigError: a name is not known.
    """
    if metrics is None:
        return tuple(METRICS)
    if isinstance(metrics, str) and metrics in PRESETS:
        return PRESETS[metrics].metrics
    named = [metrics] if isinstance(metrics, str) else list(metrics)
    if not named:
        raise ConfigError(f"metrics is empty; name one of {', '.join(METRICS)}, or leave it out")
    for name in named:
        if name not in METRICS:
            tip = did_you_mean(name, [*METRICS, *PRESETS])
            known = f"known: {', '.join(METRICS)}; presets: {', '.join(PRESETS)}"
            raise ConfigError(f"no metric {name!r}; {tip}{known}")
    return tuple(name for name in METRICS if name in named)

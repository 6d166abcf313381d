"""Why a continuation scores as it does: each metric, and which words were held against which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from assize.conversation import Continuation
from assize.encoders import TokenStates
from assize.judgment import Unscored
from assize.reference.metrics.bertscore import best_matches, directions
from assize.reference.metrics.judge import MetricsJudge
from assize.reference.metrics.lcs import lcs_pairs
from assize.reference.metrics.measure import Settings, measure_batch
from assize.reference.metrics.table import METRICS
from assize.reference.metrics.tokens import spans, tokenise
from assize.stats.estimate import nullable
from assize.tables import Result, ResultTable, columns

SHOWN = 60  # rows of a table of words; JSON has all
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Value:
    """A metric of the continuation.

    Args:
        reference: the place of the reference that counts, from 0; None where none does.
        why: why there is no value.
    """

    metric: str
    value: float
    reference: int | None
    why: Unscored | None


@dataclass(frozen=True, slots=True)
class Match:
    """A token and the most similar one of the other text, in BERTScore.

    Args:
        of: `candidate` (precision) or `reference` (recall).
        text, span: the token, and its place in characters; the ends do not count as a text's.
        other, other_span: what it is most similar to; "" for a mark such as [CLS].
        cosine: how similar they are; the mean over a text's tokens is its precision or recall.
    """

    of: str
    text: str
    span: Span
    other: str
    other_span: Span
    cosine: float


@dataclass(frozen=True, slots=True)
class Run:
    """Words that stand one behind the other in both texts' longest common subsequence."""

    text: str
    candidate: Span
    reference: Span


@dataclass(frozen=True, slots=True, repr=False)
class ExplainedScore(Result):
    """A continuation's metrics, and what BERTScore and ROUGE-L matched.

    Args:
        references: as given.
        matches: of BERTScore with the reference that its F1 picks.
        runs: of ROUGE-L with the reference that its F1 picks.
        signature: of the judge.
        ensembles: predictions of ensembles, taken apart into what each metric adds.
    """

    item: str
    candidate: str
    references: tuple[str, ...]
    values: Sequence[Value]
    matches: Sequence[Match]
    runs: Sequence[Run]
    signature: str
    ensembles: Sequence[Result] = ()

    @property
    def tables(self) -> dict[str, ResultTable]:
        """`metrics`, `rougel` and `bertscore`; `ensemble`, or `ensemble 2`, for each of these."""
        found = {"metrics": self._metrics()}
        if self.runs:
            named = columns("words", "common to both", "in the candidate", "in the reference")
            rows = [(one.text, _said(one.candidate), _said(one.reference)) for one in self.runs]
            title = "ROUGE-L: longest common subsequence, places in characters"
            found["rougel"] = ResultTable(title, named, rows).head(SHOWN)
        if self.matches:
            named = columns("words", "of", "token", "most like") + columns("number", "cosine")
            rows_of = [(f"tokens of the {one.of}", _quoted(one.text),
                        _quoted(one.other) if one.other else "(mark)", one.cosine)
                       for one in self.matches]  # fmt: skip
            title = "BERTScore: each token and the most similar one of the other text"
            found["bertscore"] = ResultTable(title, named, rows_of, grouped=True).head(SHOWN)
        for at, one in enumerate(self.ensembles, start=1):
            tables = list(one.tables.values())
            found |= dict(zip(["ensemble" if at == 1 else f"ensemble {at}"], tables, strict=False))
        return found

    def _metrics(self) -> ResultTable:
        several = len(self.references) > 1
        rows = [
            (
                one.metric,
                one.value,
                str(one.reference + 1) if several and one.reference is not None else None,
                METRICS[one.metric].about if one.why is None else _why(one.why),
            )
            for one in self.values
        ]
        named = columns("words", "metric") + columns("number", "value")
        named += columns("words", "reference", "what it is")
        return ResultTable(f"Metrics of {self.item}", named, rows)

    def to_json(self) -> dict[str, Any]:
        """Everything, spans in characters of texts without the blanks at their ends."""
        values = {
            one.metric: {
                "value": nullable(one.value),
                "reference": one.reference,
                "reason": None if one.why is None else one.why.reason,
            }
            for one in self.values
        }
        return {
            "item": self.item,
            "candidate": self.candidate,
            "references": list(self.references),
            "metrics": values,
            "bertscore": [asdict(one) for one in self.matches],
            "rougel": [asdict(one) for one in self.runs],
            "ensembles": [one.to_json() for one in self.ensembles],
            "signature": self.signature,
        }


def explain(continuation: Continuation, judge: MetricsJudge) -> ExplainedScore:
    """A continuation's metrics by a judge, with the words that BERTScore and ROUGE-L matched."""
    batch = measure_batch([continuation], judge.encoder, judge.settings)
    names = judge.settings.metrics
    values = [
        Value(
            name,
            float(batch.best[0, at]),
            int(batch.picked[0, at]) if batch.picked[0, at] >= 0 else None,
            batch.reasons.get((0, at)),
        )
        for at, name in enumerate(names)
    ]
    picked = {one.metric: one.reference for one in values}
    candidate = continuation.candidate.strip()
    references = tuple(one.strip() for one in continuation.references)
    matches: list[Match] = []
    chosen = _first(picked, "bertscore-f1", "bertscore-precision", "bertscore-recall")
    if chosen is not None and judge.encoder is not None:
        both = judge.encoder.encode([candidate, references[chosen]], tokens=True).tokens
        assert both is not None
        matches = list(matched(candidate, both[0], references[chosen], both[1]))
    chosen = _first(picked, "rougel-f1", "rougel-precision", "rougel-recall")
    runs = [] if chosen is None else list(common(candidate, references[chosen], judge.settings))
    return ExplainedScore(
        continuation.id, candidate, references, values, matches, runs, judge.signature
    )


def matched(
    candidate: str, of_candidate: TokenStates, reference: str, of_reference: TokenStates
) -> Iterator[Match]:
    """The candidate's tokens, then the reference's, each with the most similar of the other."""
    best = best_matches(directions(of_candidate), directions(of_reference))
    sides = (
        ("candidate", candidate, of_candidate, reference, of_reference,
         best.of_candidate, best.to_reference),
        ("reference", reference, of_reference, candidate, of_candidate,
         best.of_reference, best.to_candidate),
    )  # fmt: skip
    for name, text, states, other_text, other, cosines, to in sides:
        for place in np.flatnonzero(states.mask).tolist():
            span, other_span = _span(states, place), _span(other, int(to[place]))
            yield Match(
                name, text[slice(*span)], span, other_text[slice(*other_span)], other_span,
                float(cosines[place]),
            )  # fmt: skip


def common(candidate: str, reference: str, settings: Settings) -> Iterator[Run]:
    """The runs of words in the longest common subsequence of two texts."""
    how = {"stem": settings.stem}
    first, second = (tokenise(one, settings.tokens, **how) for one in (candidate, reference))
    places = [spans(one, settings.tokens) for one in (candidate, reference)]
    run: list[tuple[int, int]] = []
    for pair in [*lcs_pairs(first, second), (-1, -1)]:
        if run and pair != (run[-1][0] + 1, run[-1][1] + 1):
            here, there = (
                (places[side][run[0][side]][0], places[side][run[-1][side]][1]) for side in (0, 1)
            )
            yield Run(candidate[slice(*here)], here, there)
            run = []
        run.append(pair)


def _span(states: TokenStates, place: int) -> Span:
    start, end = states.offsets[place].tolist()
    return start, end


def _first(picked: Mapping[str, int | None], *names: str) -> int | None:
    """The reference that the first of some metrics was measured on."""
    return next((picked[name] for name in names if picked.get(name) is not None), None)


def _said(span: Span) -> str:
    return f"{span[0]}–{span[1]}"


def _quoted(text: str) -> str:
    return " ".join(text.split())


def _why(reason: Unscored) -> str:
    return f"{reason.reason}: {reason.message}"

"""How probable a model holds each of some answers: two ways, one record.

Top log-probabilities of the answer's first token, or counts of independent samples. Mass is kept as
it came and never renormalised: what went to anything that is no answer is `outside`, and what no
one reported is missing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from assize.base.errors import AnswerError
from assize.models.model import Model, Reply, Request, Token
from assize.running import all_of

Method = Literal["logprobs", "samples"]

_TRAILING = " \t\r\n.,:;!)]}*'\""
_LEADING = " \t\r\n(*'\""
UNTOLD = 0.01  # of probability that may be lost between answers that begin alike


@dataclass(frozen=True, slots=True)
class Distribution:
    """Probabilities of answers.

    Args:
        probabilities: one an answer, 0 where it was not among what was reported.
        outside: probability seen on anything that is no answer; with the probabilities
            at most 1. The rest was not reported.
        method: how it was had.
        count: samples that could be read or not, 1 where no sampling was needed.
    """

    probabilities: Mapping[str, float]
    outside: float
    method: Method
    count: int = 1

    @property
    def best(self) -> str:
        """The most probable answer; the first of equals."""
        return max(self.probabilities, key=lambda answer: self.probabilities[answer])


@lru_cache(maxsize=1 << 14)
def _meant(token: str, choices: tuple[str, ...], lead: str) -> tuple[str, ...]:
    """The choice that a token is or begins; several where it begins several."""
    bare, front = token.lstrip(), lead.lstrip()
    if not bare.startswith(front):
        return ()
    answer = bare[len(front) :].lstrip(_LEADING).split('"')[0].rstrip(_TRAILING)
    if not answer:
        return ()
    if answer in choices:
        return (answer,)
    return tuple(choice for choice in choices if choice.startswith(answer))


def _bounded(found: Mapping[str, float], outside: float, method: Method) -> Distribution:
    """Servers round: a sum a little above 1 is brought back to it, anything else is kept."""
    total = sum(found.values()) + outside
    scale = 1 / total if total > 1 else 1.0
    return Distribution(
        {choice: mass * scale for choice, mass in found.items()}, outside * scale, method
    )


def from_tokens(
    tokens: Sequence[Token], choices: Sequence[str], *, field: str | None = None
) -> Distribution | None:
    """From an answer's tokens: those of a JSON field's value, else the first that is not blank.

    Variants of a choice are merged: `" 1"`, `"1"` and `"1."` are all the choice `1`. A token that
    begins just one choice stands for it; a whole choice stands for itself, also where it begins
    another. One that begins several (`strongly` of `strongly agree` and `strongly disagree`) is
    neither an answer nor outside: it counts as not reported.
    Where the first token is a choice that also begins longer ones (`1` and `10` under a
    tokenizer of single digits), its mass is divided by what the next token said. Where it
    only begins several, the tokens that follow it tell them apart.
    None where the answer's place cannot be found or alternatives are missing, and where
    more than `UNTOLD` went to the beginning of several answers that was not gone on with.
    So it is with a `1` that was not gone on with, unless a `10` in one token is among the
    alternatives: then the tokenizer does not split it, and the `1` is whole.
    """
    place = _place(tokens, field)
    if place is None:
        return None
    index, lead = place
    if not tokens[index].top:
        return None
    heard = _Heard(dict.fromkeys(choices, 0.0))
    last = heard.listen(tokens, index, lead)
    if heard.untold > UNTOLD:
        return None
    whole = _bounded(heard.found, heard.outside, "logprobs")
    if last > index or index + 1 >= len(tokens):
        return whole
    begun = _meant(tokens[index].text, tuple(choices), lead)
    only = begun[0] if len(begun) == 1 else None
    return _divided(whole, tokens[index], tokens[index + 1], only, lead)


@dataclass(slots=True)
class _Heard:
    """Mass of each choice, of what is none, and of what begins several and broke off."""

    found: dict[str, float]
    outside: float = 0.0
    untold: float = 0.0

    def listen(self, tokens: Sequence[Token], index: int, lead: str) -> int:
        """Adds the alternatives of the token at `index`; goes on to the next ones for as long
        as what was said may become several choices. Returns where it ended."""
        choices, before, mass = tuple(self.found), "", 1.0
        while True:
            token, going = tokens[index], 0.0
            followed = index + 1 < len(tokens) and bool(tokens[index + 1].top)
            for text, logprob in token.top:
                share = mass * math.exp(logprob)
                meant = _meant(before + text, choices, lead)
                gone_on = followed and text == token.text
                if len(meant) == 1 and not gone_on and self._open(before, text, lead, token):
                    self.untold += share
                elif len(meant) == 1:
                    self.found[meant[0]] += share
                elif not meant:
                    self.outside += share
                elif text == token.text:
                    going += share
                else:
                    self.untold += share
            if not going:
                return index
            if not followed:
                self.untold += going
                return index
            before, mass, index = before + token.text, going, index + 1

    def _open(self, before: str, text: str, lead: str, token: Token) -> bool:
        """Whether a choice may be the beginning of a longer one, of which nothing is told."""
        longer = _longer(before + text, tuple(self.found), lead)
        if not longer:
            return False
        whole = {_meant(before + other, tuple(self.found), lead) for other, _ in token.top}
        return not any((choice,) in whole for choice in longer)


@lru_cache(maxsize=1 << 14)
def _longer(token: str, choices: tuple[str, ...], lead: str) -> tuple[str, ...]:
    """The choices that go on where the token, a whole choice with nothing after it, ends."""
    bare = token.lstrip()[len(lead.lstrip()) :].lstrip(_LEADING)
    if bare not in choices:
        return ()
    return tuple(choice for choice in choices if choice != bare and choice.startswith(bare))


def _divided(
    whole: Distribution, first: Token, second: Token, begun: str | None, lead: str
) -> Distribution:
    longer = [c for c in whole.probabilities if begun and c != begun and c.startswith(begun)]
    bare = first.text.lstrip()[len(lead.lstrip()) :].strip()
    if begun is None or not longer or not second.top or bare != begun:
        return whole
    mass, found = math.exp(first.logprob), dict(whole.probabilities)
    for choice in longer:
        rest = choice[len(begun) :]
        share = sum(math.exp(p) for text, p in second.top if text.rstrip(_TRAILING) == rest)
        found[choice] += mass * share
        found[begun] -= mass * share
    return replace(whole, probabilities={c: max(0.0, mass) for c, mass in found.items()})


def _place(tokens: Sequence[Token], field: str | None) -> tuple[int, str] | None:
    """Index of the token in which the answer begins, and what the token holds before it."""
    if field is None:
        return next(((i, "") for i, token in enumerate(tokens) if token.text.strip()), None)
    text = "".join(token.text for token in tokens)
    found = list(re.finditer(rf'"{re.escape(field)}"\s*:\s*"?', text))
    if not found:
        return None
    start, offset = found[-1].end(), 0
    for index, token in enumerate(tokens):
        if offset <= start < offset + len(token.text):
            return index, token.text[: start - offset]
        offset += len(token.text)
    return None


def from_samples(answers: Sequence[str | None], choices: Sequence[str]) -> Distribution:
    """From independent answers; None and anything that is no choice count as outside.

    >>> from_samples(["A", "A", "B", None], ["A", "B"]).probabilities
    {'A': 0.5, 'B': 0.25}
    """
    if not answers:
        raise ValueError("a distribution needs at least one sample")
    counts = Counter(answers)
    found = {choice: counts[choice] / len(answers) for choice in choices}
    inside = sum(counts[choice] for choice in choices)
    return Distribution(found, 1 - inside / len(answers), "samples", len(answers))


async def exact_or_sampled(
    model: Model,
    request: Request,
    replies: list[Reply],
    choices: Mapping[str, Sequence[str]],
    samples: int,
    read: Callable[[str], Mapping[str, Any]],
) -> dict[str, Distribution]:
    """Return distributions by the reply's field; one is missing where it cannot be had.

    Args:
        request: that the last of `replies` answers; replies that are asked for here are added.
        choices: the answers of each field.
        samples: independent answers to ask for where the model tells no probabilities; below 2
            none is.
        read: makes the fields of a reply's text; raises AnswerError where it cannot be read.
    """
    last = replies[-1]
    exact = {
        name: distribution
        for name, answers in choices.items()
        if (distribution := from_tokens(last.tokens, answers, field=name)) is not None
    }
    if len(exact) == len(choices) or samples < 2:
        return exact
    base = (request.sample + 1) * 1_000_000  # apart from every plain repeat

    def draw(index: int) -> Request:
        seed = None if request.seed is None else request.seed + 1000 + index
        call = request.call_id
        if call is not None:
            call = replace(call, step=f"{call.step} sample {index}".strip())
        warm = request.temperature or 1.0
        return replace(request, temperature=warm, sample=base + index, seed=seed, call_id=call)

    drawn = await all_of(model.ask(draw(index)) for index in range(samples))
    replies.extend(drawn)
    values: list[Mapping[str, Any]] = []
    for reply in drawn:
        try:
            values.append(read(reply.text))
        except AnswerError:
            values.append({})
    sampled = {
        name: from_samples([str(value[name]) if value else None for value in values], answers)
        for name, answers in choices.items()
    }
    return {**sampled, **exact}


def as_details(distribution: Distribution) -> dict[str, Any]:
    """How a distribution was had, for a judgment's `details`."""
    if distribution.method == "samples":
        return {"method": "samples", "samples": distribution.count}
    return {"method": distribution.method}

"""What to look at next: the ratings that would teach most, uncertain and controversial items.

The worth of a rating is the mutual information between the answer and what is not known of
the rater: how unsure the prediction is, less how unsure it would stay if the parameters
were known. A rater who is simply erratic teaches nothing by being erratic. It is the worth of
one rating: two by one person, or two about one item, overlap.

A correction by groups has no part in it: it shifts what is predicted, and has no
parameters that a rating would make surer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.base.judgment import REQUESTED, Judgment, Unscored
from assize.calibrate._active.routing import Routes, Routing
from assize.calibrate._calibrator import Calibrator, check_rated
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._data.forms import UNKNOWN
from assize.calibrate._prediction.decode import entropy
from assize.judgments import Unit
from assize.judgments.membership import Labels
from assize.results import Column

DRAWS = 64  # of a rater's parameters


@dataclass(frozen=True, slots=True)
class RatingRequest:
    """A rating worth having.

    Args:
        gain: what it would teach, in nats.
        cost: by the routing; None without one, where every rating costs the same.
    """

    rater: str
    question: str
    item: str
    turn: int | None
    gain: Annotated[float, Column("gain (nats)")]
    cost: Annotated[float | None, Column(digits=None)] = None


@dataclass(frozen=True, slots=True)
class RatingRequests:
    """What to ask for.

    Args:
        requests: best first.
        candidates: all (item, question, rater) that there are.
        rated: of these, rated already.
        excluded: of these, what the routing does not allow, whether rated or not.
        at_limit: people for whom a limit of the routing was reached.
        new_raters: people whom not all calibrators know, predicted as unknown there.
    """

    requests: Sequence[RatingRequest]
    candidates: int
    rated: int
    excluded: int
    at_limit: Sequence[str]
    new_raters: Sequence[str]


@dataclass(frozen=True, slots=True)
class ItemUncertainty:
    """An item that is hard to call.

    Args:
        entropy: of an answer by a rater drawn at random, in nats.
        between: its part that is disagreement between raters: the mutual information of
            rater and answer. The rest is doubt within raters.
    """

    question: str
    item: str
    turn: int | None
    entropy: Annotated[float, Column("entropy (nats)", digits=2)]
    between: Annotated[float, Column("between raters", digits=2)]


def information_gain(
    calibrator: Calibrator, features: Features, raters: Sequence[int], rng: np.random.Generator
) -> FloatArray:
    """Nats (N, R) that a rater's answer about an item would teach; 0 where nothing is known.

    The default's parameters are drawn from their posterior; networks differ by seed.

    Raises:
        ConfigError: there is one network only, which does not know what it does not know.

    Source: Houlsby et al. (2011), equation 2.
    """
    features = features.aligned(calibrator.blocks)
    sample = calibrator.abilities.sample
    if sample is None:
        raise ConfigError("one network alone shows no doubt; fit several, by `seeds`")
    # One rater's draws at a time: all of them would not fit into memory.
    drawn = (sample(features, [rater], DRAWS, rng) for rater in raters)
    # The mutual information of answer and parameters, of draws (draws, N, 1, K).
    each = (entropy(one.mean(axis=0)) - entropy(one).mean(axis=0) for one in drawn)
    gain = np.hstack(list(each))
    return np.where(calibrator.known(features)[:, None], np.maximum(gain, 0), 0)


def request_ratings(
    calibrators: Sequence[Calibrator],
    features: Features,
    *,
    rated: Collection[tuple[Unit, str, str]] = (),
    routing: Routing | None = None,
    groups: Labels | None = None,
    count: int = 20,
    per_item: int = 1,
    per_rater: int | None = None,
    rng: np.random.Generator,
) -> RatingRequests:
    """The ratings that would teach most for what they cost, best first.

    They are taken one after the other, over all questions together, as long as no limit is
    passed. Without a routing each calibrator's own raters are asked.

    Args:
        calibrators: one a question.
        rated: (unit, question, rater) that need not be asked again.
        routing: who may be asked what.
        groups: by each of the routing's fields, the group (N,) of every item.
        count: how many.
        per_item: at most so many about one item and question.
        per_rater: at most so many of one person; None for equal shares of `count`, more only
            where others have nothing left to teach.

    Raises:
        ConfigError: two calibrators predict one question; one was fitted on choices alone,
            whose answers nobody can be asked for; see also `information_gain`.
        DataError: a rule of the routing covers nothing.
    """
    questions = [one.target.id for one in calibrators]
    if len(set(questions)) < len(questions):
        raise ConfigError(f"one calibrator a question: received {', '.join(questions)}")
    for one in calibrators:
        check_rated(one)
    known = tuple(dict.fromkeys(name for one in calibrators for name in one.raters))
    routes = None
    if routing is not None:
        routes = routing.routes(features.units, questions, known, groups or {})
    offer = _candidates(calibrators, features.units, known, routes)
    there = _already_rated(offer, rated)
    gain = _gains(calibrators, features, offer, rng)
    worth = np.where(offer.allowed & ~there, gain / offer.cost, 0)
    share = math.ceil(count / max(1, int(worth.any(axis=(0, 1)).sum())))
    most = share if per_rater is None else per_rater
    found, full = _greedy(worth, gain, offer, routes, count, per_item, most)
    while per_rater is None and len(found) < count and most < count:
        most += share
        found, full = _greedy(worth, gain, offer, routes, count, per_item, most)
    if per_rater is not None:
        asked = Counter(request.rater for request in found)
        full += [name for name, times in asked.items() if times == per_rater and name not in full]
    new = [
        name
        for place, name in enumerate(offer.people)
        if any(
            name not in one.raters and offer.allowed[q, :, place].any()
            for q, one in enumerate(calibrators)
        )
    ]
    return RatingRequests(
        tuple(found),
        int(offer.candidates),
        int((there & offer.possible).sum()),
        int(offer.candidates - offer.allowed.sum()),
        tuple(full),
        tuple(new),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """What can be asked for: (Q, N, P) what there is, what is allowed, what it costs."""

    questions: tuple[str, ...]
    units: tuple[Unit, ...]
    people: tuple[str, ...]
    possible: NDArray[np.bool_]
    allowed: NDArray[np.bool_]
    cost: FloatArray

    @property
    def candidates(self) -> int:
        return int(self.possible.sum())


def _candidates(
    calibrators: Sequence[Calibrator],
    units: tuple[Unit, ...],
    known: tuple[str, ...],
    routes: Routes | None,
) -> _Candidates:
    questions = tuple(one.target.id for one in calibrators)
    if routes is not None:
        everything = np.ones(routes.covered.shape[1:], dtype=bool)
        return _Candidates(questions, units, routes.people, everything, routes.allowed, routes.cost)
    own = np.array([[name in one.raters for name in known] for one in calibrators], dtype=bool)
    shape = (len(questions), len(units), len(known))
    possible = np.broadcast_to(own[:, None], shape)
    return _Candidates(questions, units, known, possible, possible, np.ones(shape))


def _already_rated(
    offer: _Candidates, rated: Collection[tuple[Unit, str, str]]
) -> NDArray[np.bool_]:
    """(Q, N, P) what is rated already."""
    questions = {name: place for place, name in enumerate(offer.questions)}
    units = {unit: place for place, unit in enumerate(offer.units)}
    people = {name: place for place, name in enumerate(offer.people)}
    found = np.zeros(offer.allowed.shape, dtype=bool)
    for unit, question, rater in rated:
        if unit in units and question in questions and rater in people:
            found[questions[question], units[unit], people[rater]] = True
    return found


def _gains(
    calibrators: Sequence[Calibrator],
    features: Features,
    offer: _Candidates,
    rng: np.random.Generator,
) -> FloatArray:
    """(Q, N, P) nats; 0 for people whom nothing may be asked."""
    found = np.zeros(offer.allowed.shape)
    for question, one in enumerate(calibrators):
        asked = np.flatnonzero(offer.allowed[question].any(axis=0))
        if len(asked) == 0:
            continue
        place = {name: number for number, name in enumerate(one.raters)}
        codes = [place.get(offer.people[person], UNKNOWN) for person in asked]
        each = list(dict.fromkeys(codes))  # all who are not known are predicted alike
        gain = information_gain(one, features, each, rng)
        found[question][:, asked] = gain[:, [each.index(code) for code in codes]]
    return found


def _greedy(
    worth: FloatArray,
    gain: FloatArray,
    offer: _Candidates,
    routes: Routes | None,
    count: int,
    per_item: int,
    per_rater: int,
) -> tuple[list[RatingRequest], list[str]]:
    """The best that keep within all limits, and the people who reached one of the routing."""
    found: list[RatingRequest] = []
    about: Counter[tuple[int, int]] = Counter()
    by: Counter[tuple[int, int]] = Counter()
    of: Counter[int] = Counter()
    limits = [(n, rule.at_most) for n, rule in enumerate(routes.rules if routes else ())]
    limited = [(n, most) for n, most in limits if most is not None]
    candidates = np.flatnonzero(worth)
    order = candidates[np.argsort(-worth.ravel()[candidates], kind="stable")]
    for flat in order.tolist():
        if len(found) == count:
            break
        rest, person = divmod(flat, worth.shape[2])
        question, row = divmod(rest, worth.shape[1])
        mine = [
            (n, most)
            for n, most in limited
            if routes is not None and routes.covered[n, question, row, person]
        ]
        if about[question, row] >= per_item or any(by[n, person] >= most for n, most in mine):
            continue
        if of[person] >= per_rater:
            continue
        about[question, row] += 1
        of[person] += 1
        by.update((n, person) for n, _ in mine)
        place = (question, row, person)
        cost = None if routes is None else float(offer.cost[place])
        item, turn = offer.units[row]
        name, asked = offer.people[person], offer.questions[question]
        found.append(RatingRequest(name, asked, item, turn, float(gain[place]), cost))
    most_of = dict(limited)
    reached = [person for (n, person), times in by.items() if times >= most_of[n]]
    return found, [offer.people[person] for person in dict.fromkeys(reached)]


def request_judgments(requests: Sequence[RatingRequest], signature: str) -> Iterator[Judgment]:
    """Yield each request as the rater's judgment to come: unscored, `requested`, until answered."""
    for request in requests:
        yield Judgment(
            request.item,
            request.rater,
            request.question,
            turn=request.turn,
            kind="person",
            unscored=Unscored(REQUESTED, "not answered yet"),
            details={"gain": request.gain, "cost": 1.0 if request.cost is None else request.cost},
            signature=signature,
        )


def item_uncertainty(
    question: str, units: Sequence[Unit], probabilities: FloatArray
) -> list[ItemUncertainty]:
    """Return how hard each item is to call, in order; those about which nothing is known go.

    Args:
        question: what is answered.
        probabilities: (N, R, K) predicted answers of the raters whose disagreement counts.
    """
    whole = entropy(probabilities.mean(axis=1))
    between = np.maximum(whole - entropy(probabilities).mean(axis=1), 0)
    return [
        ItemUncertainty(question, *unit, float(whole[row]), float(between[row]))
        for row, unit in enumerate(units)
        if not np.isnan(probabilities[row, 0, 0])
    ]


def most_uncertain(rows: Sequence[ItemUncertainty], count: int) -> list[ItemUncertainty]:
    """Return the items with the most open answers."""
    return sorted(rows, key=lambda row: -row.entropy)[:count]


def most_controversial(rows: Sequence[ItemUncertainty], count: int) -> list[ItemUncertainty]:
    """Return the items about which raters would disagree most."""
    return sorted(rows, key=lambda row: -row.between)[:count]

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
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from assize.base.errors import ConfigError
from assize.base.judgment import REQUESTED, Judgment, Unscored
from assize.calibrate._active.routing import Axes, Candidates, Mask, Routing
from assize.calibrate._calibrator import Calibrator, check_questions, check_rated
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._data.forms import UNKNOWN
from assize.calibrate._prediction.decode import entropy
from assize.judgments import JudgmentTable, Unit
from assize.judgments.membership import Labels
from assize.results import Column, Result, Table
from assize.results.numbers import counted, name_some

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestResult(Result):
    """Ratings that would teach most, and items in doubt.

    Args:
        requests: best first.
        uncertain, controversial: of each question the items that are hardest to call.
        candidates: all (item, question, rater) that there are.
        rated: of these, rated already.
        excluded: of these, what the routing does not allow, whether rated or not.
        at_limit: people for whom a limit was reached.
        new_raters: named in the routing, and not known to every calibrator.
        unknown_items: named in the routing, and none of the items.
        corrected: whether the doubts hold a correction.
        judgments: a request a row, unscored (`requested`).
    """

    heading = "Ratings to ask for"
    requests: Annotated[
        Sequence[RatingRequest],
        Table("To be rated next", "The ratings that would teach most for their cost, best first."),
    ]
    uncertain: Annotated[
        Sequence[ItemUncertainty],
        Table("Uncertain items", "Items whose answer is most open.", group="question"),
    ] = ()
    controversial: Annotated[
        Sequence[ItemUncertainty],
        Table(
            "Controversial items",
            "Items about which raters would disagree most.",
            group="question",
            notes=["Between raters: the part of the entropy that is disagreement, in nats."],
        ),
    ] = ()
    candidates: Annotated[int, Column("possible ratings")]
    rated: Annotated[int, Column("rated already")]
    excluded: Annotated[int, Column("excluded by the routing")]
    at_limit: Sequence[str]
    new_raters: Sequence[str]
    unknown_items: Sequence[str] = ()
    corrected: bool = False
    out: str | None = None
    signature: str = ""
    judgments: JudgmentTable = field(default_factory=lambda: JudgmentTable.of(()), repr=False)

    @property
    def sentence(self) -> str:
        """How many ratings are asked of whom."""
        raters = len({request.rater for request in self.requests})
        return f"{counted(len(self.requests), 'rating')} to ask {counted(raters, 'rater')} for."

    @property
    def notes(self) -> Sequence[str]:
        """What the routing did, and where the requests are."""
        lists = (
            (self.at_limit, "reached a limit"),
            (self.new_raters, "not known to every calibrator: predicted as unknown there"),
            (self.unknown_items, "named in the routing, and none of the items"),
        )
        notes = [f"{name_some(names)}: {meaning}" for names, meaning in lists if names]
        written = f"{self.out}: {counted(len(self.requests), 'request')}"
        return notes if self.out is None else [*notes, written]


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
) -> RequestResult:
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
    questions = [calibrator.target.id for calibrator in calibrators]
    check_questions(calibrators)
    for calibrator in calibrators:
        check_rated(calibrator)
    people = dict.fromkeys(name for calibrator in calibrators for name in calibrator.raters)
    if routing is not None:
        people |= dict.fromkeys(routing.people)
    axes = Axes(questions, features.units, tuple(people), groups or {})
    candidates = _own_raters(calibrators, axes) if routing is None else routing.candidates(axes)
    answered = _answered(axes, rated)
    gain = _gains(calibrators, features, candidates, rng)
    worth = gain if candidates.cost is None else gain / candidates.cost
    worth = np.where(candidates.allowed & ~answered, worth, 0)
    share = math.ceil(count / max(1, int(worth.any(axis=(0, 1)).sum())))
    most = share if per_rater is None else per_rater
    chosen, full = _choose(worth, candidates, count, per_item, most)
    while per_rater is None and len(chosen) < count and most < count:
        most += share
        chosen, full = _choose(worth, candidates, count, per_item, most)
    if per_rater is not None:
        times = Counter(axes.people[person] for *_, person in chosen)
        full += [name for name, n in times.items() if n == per_rater and name not in full]
    possible, allowed = candidates.possible, candidates.allowed
    new = [
        name
        for person, name in enumerate(axes.people)
        if any(
            name not in calibrator.raters and allowed[q, :, person].any()
            for q, calibrator in enumerate(calibrators)
        )
    ]
    return RequestResult(
        requests=tuple(_request(row, candidates, gain) for row in chosen),
        candidates=int(possible.sum()),
        rated=int((answered & possible).sum()),
        excluded=int((possible & ~allowed).sum()),
        at_limit=tuple(full),
        new_raters=() if routing is None else tuple(new),
    )


def _own_raters(calibrators: Sequence[Calibrator], axes: Axes) -> Candidates:
    """Return that each calibrator's own raters may be asked anything."""
    own = np.array([np.isin(axes.people, calibrator.raters) for calibrator in calibrators])
    possible = np.broadcast_to(own[:, None], axes.shape)
    return Candidates(axes, possible, possible)


def _answered(axes: Axes, rated: Collection[tuple[Unit, str, str]]) -> Mask:
    """Return what (Q, N, P) is rated already."""
    units, questions, people = (
        {name: row for row, name in enumerate(names)}
        for names in (axes.units, axes.questions, axes.people)
    )
    answered = np.zeros(axes.shape, dtype=bool)
    for unit, question, rater in rated:
        if unit in units and question in questions and rater in people:
            answered[questions[question], units[unit], people[rater]] = True
    return answered


def _gains(
    calibrators: Sequence[Calibrator],
    features: Features,
    candidates: Candidates,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the gains (Q, N, P) in nats; 0 for people whom nothing may be asked."""
    gains = np.zeros(candidates.allowed.shape)
    for question, calibrator in enumerate(calibrators):
        people = np.flatnonzero(candidates.allowed[question].any(axis=0))
        if len(people) == 0:
            continue
        known = {name: code for code, name in enumerate(calibrator.raters)}
        codes = [known.get(candidates.axes.people[person], UNKNOWN) for person in people.tolist()]
        raters = list(dict.fromkeys(codes))  # all who are not known are predicted alike
        gain = information_gain(calibrator, features, raters, rng)
        gains[question][:, people] = gain[:, [raters.index(code) for code in codes]]
    return gains


def _choose(
    worth: FloatArray, candidates: Candidates, count: int, per_item: int, per_rater: int
) -> tuple[list[tuple[int, int, int]], list[str]]:
    """Return the best requests within all limits, and the people who reached one of the routing."""
    chosen: list[tuple[int, int, int]] = []
    about: Counter[tuple[int, int]] = Counter()
    used: Counter[tuple[int, int]] = Counter()
    by: Counter[int] = Counter()
    limits = candidates.limits
    rows = np.flatnonzero(worth)
    for row in rows[np.argsort(-worth.ravel()[rows], kind="stable")].tolist():
        if len(chosen) == count:
            break
        rest, person = divmod(row, worth.shape[2])
        question, item = divmod(rest, worth.shape[1])
        covering = [n for n, (covered, _) in enumerate(limits) if covered[question, item, person]]
        full = any(used[n, person] >= limits[n][1] for n in covering)
        if full or about[question, item] >= per_item or by[person] >= per_rater:
            continue
        chosen.append((question, item, person))
        about[question, item] += 1
        by[person] += 1
        used.update((n, person) for n in covering)
    reached = [person for (n, person), times in used.items() if times >= limits[n][1]]
    return chosen, [candidates.axes.people[person] for person in dict.fromkeys(reached)]


def _request(row: tuple[int, int, int], candidates: Candidates, gain: FloatArray) -> RatingRequest:
    """Return the request at a place (question, item, person)."""
    question, item, person = row
    axes = candidates.axes
    cost = None if candidates.cost is None else float(candidates.cost[row])
    name, question_id = axes.people[person], axes.questions[question]
    return RatingRequest(name, question_id, *axes.units[item], float(gain[row]), cost)


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

"""Which ratings would teach most, and which items are in doubt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assize.base.arguments import check_range
from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.calibrate._active.active_learning import (
    RequestResult,
    item_uncertainty,
    request_judgments,
    request_ratings,
)
from assize.calibrate._active.routing import load_routing
from assize.calibrate._inputs import Fitted, calibrators_of, features_for
from assize.formats import ItemsLike, JudgmentsLike, write
from assize.formats.arguments import items_in, ratings_in
from assize.judgments import JudgmentTable
from assize.judgments.membership import unit_labels


def next_ratings(
    calibrators: Fitted | Sequence[Fitted],
    answers: JudgmentsLike,
    *,
    ratings: JudgmentsLike | None = None,
    routing: str | Path | None = None,
    items: ItemsLike | None = None,
    count: int = 10,
    per_item: int = 1,
    per_rater: int | None = None,
    out: str | Path | None = None,
    items_out: str | Path | None = None,
    seed: int = 0,
) -> RequestResult:
    """List the ratings that would teach a calibrator most, and the items in doubt.

    Uncertain items are those whose answer is open, controversial ones those about which raters
    would disagree. With `routing`, ratings are chosen by what they teach for their cost, and nobody
    is asked what the file does not allow. `out` gets one judgment per request, unscored
    (requested). A correction counts in the doubts but not in the gains: a rating would not teach it
    anything.

    Args:
        calibrators: folders of calibrators, one per question.
        answers: model judgments: files or folders of runs (repeatable).
        ratings: judgments that exist already and are not asked for again (repeatable).
        routing: YAML file that says who may be asked what, how often and at what cost.
        items: files of the conversations, for their systems and metadata (repeatable).
        count: rows to show in each list.
        per_item: maximum ratings of one item and question.
        per_rater: maximum ratings by one person. Default: equal shares of `count`.
        out: file to write the requests to, for people to fill in.
        items_out: also write the items to this file, in the order of the requests, the others last.
        seed: random seed.

    Raises:
        ConfigError: two calibrators predict one question, or one shows no doubt; `items_out` is
            given without items.
        DataError: a rule of the routing is wrong, or covers nothing; a row is bad.
    """
    check_range("count", count, 1)
    check_range("per_item", per_item, 1)
    if items_out is not None and items is None:
        raise ConfigError("items_out: there are no items to write; give items too")
    check_range("per_rater", per_rater, 1)
    fitted = calibrators_of(calibrators)
    questions = [calibrator.target.question for calibrator in fitted]
    about = questions[0].id if len(questions) == 1 else None
    rated = () if ratings is None else ratings_in(ratings, stated=questions, target=about)
    known = list(items_in(items))
    features = features_for(fitted, answers, known)
    rules = None if routing is None else load_routing(str(routing))
    fields = [field for calibrator in fitted for field in calibrator.fields] + list(
        rules.fields if rules else ()
    )
    groups = unit_labels(list(dict.fromkeys(fields)), features.units, known)
    there = [calibrator.for_items(features, known) for calibrator in fitted]
    chosen = request_ratings(
        [calibrator.used for calibrator in there],
        features,
        rated={((row.item, row.turn), row.question, row.judge) for row in rated},
        routing=rules,
        groups=groups,
        count=count,
        per_item=per_item,
        per_rater=per_rater,
        rng=np.random.default_rng(seed),
    )
    uncertain, controversial = [], []
    for calibrator in there:
        p = calibrator.probabilities(features, range(len(calibrator.raters)), groups)
        rows = item_uncertainty(calibrator.target.id, features.units, p)
        uncertain += sorted(rows, key=lambda row: -row.entropy)[:count]
        controversial += sorted(rows, key=lambda row: -row.between)[:count]
    signed = "+".join(
        [*(calibrator.signature for calibrator in fitted), *([rules.signature] if rules else [])]
    )
    requests = JudgmentTable.of(request_judgments(chosen.requests, signed), questions)
    if out is not None:
        write(out, requests, questions=questions)
    if items_out is not None:
        write(items_out, items_in_order(known, requests))
    return replace(
        chosen,
        uncertain=uncertain,
        controversial=controversial,
        unknown_items=rules.unknown_items(features.units) if rules else (),
        corrected=any(calibrator.corrected for calibrator in fitted),
        out=None if out is None else str(out),
        signature=signed,
        judgments=requests,
    )


def items_in_order(items: Iterable[Item], requests: Iterable[Judgment]) -> list[Item]:
    """Return the items in the order of their first requests, then those without one.

    Args:
        items: the items; those without a request keep their order.
        requests: judgments that are asked for, the one that teaches most first.
    """
    first: dict[str, int] = {}
    for number, request in enumerate(requests):
        first.setdefault(request.item, number)
    return sorted(items, key=lambda item: first.get(item.id, math.inf))

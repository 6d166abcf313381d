from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import make_world

from assize.base.errors import ConfigError
from assize.calibrate import fit_default
from assize.calibrate._active.active_learning import (
    RequestResult,
    information_gain,
    item_uncertainty,
    request_judgments,
    request_ratings,
)
from assize.calibrate._active.routing import parse_routing
from assize.calibrate._calibrator import predict
from assize.calibrate._data.features import Features
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting


def opposed(x: np.ndarray) -> np.ndarray:
    """The first rater follows the model, the second one contradicts it, the third guesses."""
    p = np.stack([x[:, :4] + 0.02, x[:, 3::-1] + 0.02, np.full((len(x), 4), 0.25)], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.fixture
def forms() -> Any:
    return make_world(opposed, rows=600, raters=3, seed=1).forms


def test_who_has_rated_little_teaches_most_and_not_who_only_guesses(forms: Any) -> None:
    few = forms.take((forms.rater != 0) | (np.arange(600) < 15))
    gain = information_gain(
        fit_default(few), forms.features, [0, 1, 2], np.random.default_rng(0)
    ).mean(axis=0)
    assert gain[0] > 2 * gain[1]
    assert gain[0] > 2 * gain[2]


def test_requests_leave_out_what_is_rated_and_spread_over_items(forms: Any) -> None:
    fitted = fit_default(forms)
    some = forms.features.take(np.arange(8))
    rng = np.random.default_rng(0)
    rated = {(unit, "Q0", name) for unit in some.units[:7] for name in fitted.raters}
    rated.add((some.units[7], "Q0", "r0"))
    rated |= {(some.units[7], "Q1", "r1"), (("elsewhere", None), "Q0", "r1")}
    told = request_ratings([fitted], some, rated=rated, count=5, per_item=2, rng=rng)
    assert {(one.item, one.rater) for one in told.requests} == {("i7", "r1"), ("i7", "r2")}
    assert (told.candidates, told.rated, told.excluded) == (24, 22, 0)
    found = request_ratings([fitted], some, count=5, rng=rng).requests
    assert len({one.item for one in found}) == 5
    assert [one.gain for one in found] == sorted((one.gain for one in found), reverse=True)
    with pytest.raises(ConfigError, match="one calibrator a question: received Q0, Q0"):
        request_ratings([fitted, fitted], some, rng=rng)


def test_requests_are_shared_equally_among_raters_unless_told_otherwise(forms: Any) -> None:
    fitted, some = fit_default(forms), forms.features.take(np.arange(40))

    def requested(**how: Any) -> RequestResult:
        return request_ratings([fitted], some, count=20, rng=np.random.default_rng(0), **how)

    shared = requested()
    assert sorted(by_rater(shared).values()) == [6, 7, 7]
    assert shared.at_limit == ()
    assert max(by_rater(requested(per_rater=20)).values()) > 7
    # r1 and r2 have rated everything but one item each: r0 is asked for the rest
    done = {(unit, "Q0", name) for unit in some.units[1:] for name in ("r1", "r2")}
    rest = requested(rated=done)
    assert len(rest.requests) == 20
    assert by_rater(rest)["r0"] >= 18


def asked(forms: Any, rules: list[Any], **more: Any) -> RequestResult:
    """What two calibrators, of Q0 and Q1, ask for about eight items."""
    some = forms.features.take(np.arange(8))
    both = [fit_default(forms), fit_default(forms.with_target("Q1"))]
    rng = np.random.default_rng(0)
    return request_ratings(
        both, some, routing=parse_routing(json.dumps(rules), "r.yaml"), count=100, rng=rng, **more
    )


def by_rater(result: RequestResult) -> Counter[str]:
    return Counter(request.rater for request in result.requests)


def most_an_item(result: RequestResult) -> int:
    """How many are asked for one answer, at most."""
    return max(Counter((one.item, one.question) for one in result.requests).values())


def test_limits_hold_over_all_questions_together(forms: Any) -> None:
    assert by_rater(asked(forms, [{"who": "everyone"}]))["r0"] > 3
    rules = [{"who": "everyone", "at_most": "3"}, {"who": "r0", "questions": "Q1", "at_most": "1"}]
    found = asked(forms, rules)
    assert by_rater(found) == {"r0": 3, "r1": 3, "r2": 3}
    assert sum(one.rater == "r0" and one.question == "Q1" for one in found.requests) <= 1
    assert {"r0", "r1", "r2"} == set(found.at_limit)
    assert {one.question for one in found.requests} == {"Q0", "Q1"}
    assert most_an_item(found) == 1
    assert most_an_item(asked(forms, rules, per_item=2)) == 2
    few = asked(forms, [{"who": "everyone"}], per_item=3, per_rater=2)
    assert by_rater(few) == {"r0": 2, "r1": 2, "r2": 2}
    assert set(few.at_limit) == {"r0", "r1", "r2"}


def test_nobody_is_asked_what_no_rule_allows_or_one_forbids(forms: Any) -> None:
    rules = [
        {"who": ["r0", "r1"], "questions": "Q0", "not": {"who": "r1", "items": ["i0", "i1"]}},
        {"who": "everyone", "items": ["i2"], "at_most": "0"},
    ]
    found = asked(forms, rules, per_item=9)
    pairs = {(one.rater, one.question, one.item) for one in found.requests}
    items = [f"i{n}" for n in range(8) if n != 2]
    r1 = {("r1", "Q0", item) for item in items if item not in ("i0", "i1")}
    assert pairs == r1 | {("r0", "Q0", item) for item in items}
    assert (found.candidates, found.excluded) == (2 * 8 * 3, 2 * 8 * 3 - 12)
    assert found.at_limit == ()


def test_dear_requests_come_after_cheap_ones_that_teach_as_much(forms: Any) -> None:
    plain = asked(forms, [{"who": "everyone"}], per_item=3)
    dear = asked(forms, [{"who": "r0", "cost": "4"}, {"who": "everyone", "cost": "2"}], per_item=3)
    assert {one.cost for one in dear.requests if one.rater == "r0"} == {4.0}
    assert {one.cost for one in dear.requests if one.rater != "r0"} == {2.0}
    worth = [one.gain / (one.cost or 1) for one in dear.requests]
    assert worth == sorted(worth, reverse=True)
    gains, others = (
        {(one.item, one.question, one.rater): one.gain for one in some.requests}
        for some in (plain, dear)
    )
    assert gains == others


def test_who_is_new_is_asked_as_an_unknown_rater(forms: Any) -> None:
    found = asked(forms, [{"who": ["zoe", "yan"], "questions": "Q0"}], per_item=2)
    assert found.new_raters == ("zoe", "yan")
    gains = {(one.item, one.rater): one.gain for one in found.requests}
    assert len(gains) == 16
    assert all(gains[f"i{n}", "zoe"] == gains[f"i{n}", "yan"] for n in range(8))
    fitted = fit_default(forms)
    some = forms.features.take(np.arange(8))
    alone = information_gain(fitted, some, [-1], np.random.default_rng(0))[:, 0]
    assert [gains[f"i{n}", "zoe"] for n in range(8)] == pytest.approx(alone.tolist())


def test_requests_are_judgments_that_are_still_to_come(forms: Any) -> None:
    found = asked(forms, [{"who": "r0", "cost": "2"}]).requests
    rows: Any = list(request_judgments(found, "s"))
    assert [(row.item, row.judge, row.question) for row in rows] == [
        (one.item, one.rater, one.question) for one in found
    ]
    assert {(row.kind, row.signature, row.answer) for row in rows} == {("person", "s", None)}
    assert {(row.unscored.reason, row.details["cost"]) for row in rows} == {("requested", 2)}


def test_controversial_items_are_those_where_raters_are_opposed(forms: Any) -> None:
    fitted = fit_default(forms)
    x = np.array([[0, 0, 0, 1.0] * 2, [0.1, 0.4, 0.4, 0.1] * 2, [np.nan] * 8])
    some = Features((("clear", None), ("middling", None), ("gone", None)), fitted.blocks, x)
    clear, middling = item_uncertainty("Q0", some.units, predict(fitted, some, range(3)))
    assert (clear.item, middling.item) == ("clear", "middling")
    assert clear.between > 5 * middling.between
    assert 0 <= clear.between <= clear.entropy <= np.log(4)


def test_one_network_shows_no_doubt_and_several_do(forms: Any) -> None:
    pytest.importorskip("torch")
    forms = forms.take(np.arange(100))
    setting, rng = Setting(4, 4, 32, 0.01, 1, 1), np.random.default_rng(0)
    with pytest.raises(ConfigError, match="fit several, by `seeds`"):
        information_gain(fit_networks(forms, setting, [0]), forms.features, [0], rng)
    found = information_gain(fit_networks(forms, setting, [0, 1, 2]), forms.features, [0], rng)
    assert (found > 0).all()

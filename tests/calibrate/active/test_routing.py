from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.calibrate._active.routing import Axes, Candidates, Routing, parse_routing

UNITS = (("de_1", None), ("de_2", 0), ("en_1", None), ("en_2", None))
LABELS = {"metadata.language": ("de", "de", "en", None), "system": ("a", "b", "a", "b")}


def routing(*rules: Any) -> Routing:
    return parse_routing(json.dumps(rules), "r.yaml")


def routes(*rules: Any) -> Candidates:
    parsed = routing(*rules)
    people = tuple(dict.fromkeys(("ann", "bob", *parsed.people)))
    return parsed.candidates(Axes(("Q0", "Q1"), UNITS, people, LABELS))


def allowed(*rules: Any) -> set[tuple[str, str, str]]:
    found = routes(*rules)
    axes = found.axes
    return {
        (axes.people[p], axes.questions[q], UNITS[n][0]) for q, n, p in np.argwhere(found.allowed)
    }


def test_a_rule_covers_its_people_questions_and_items() -> None:
    assert len(allowed({"who": "everyone"})) == 2 * 2 * 4
    found = allowed({"who": "bob", "questions": ["Q1"], "items": ["de_2", "en_1"]})
    assert found == {("bob", "Q1", "de_2"), ("bob", "Q1", "en_1")}


@pytest.mark.parametrize(
    ("items", "ids"),
    [
        ("en_1", {"en_1"}),
        ({"metadata.language": "de"}, {"de_1", "de_2"}),
        ({"metadata.language": ["de", "en"], "system": "a"}, {"de_1", "en_1"}),
        ({"system": "b"}, {"de_2", "en_2"}),
    ],
)
def test_items_are_chosen_by_id_or_field(items: Any, ids: set[str]) -> None:
    found = allowed({"who": "ann", "questions": "Q0", "items": items})
    assert {item for _, _, item in found} == ids


def test_rules_add_up_and_exceptions_belong_to_one_rule() -> None:
    german = {"who": "everyone", "questions": "Q0", "items": {"metadata.language": "de"}}
    found = allowed(german | {"not": {"who": "ann", "items": "de_1"}})
    assert found == {("ann", "Q0", "de_2"), ("bob", "Q0", "de_1"), ("bob", "Q0", "de_2")}
    both = allowed(
        german | {"not": {"who": "ann"}}, {"who": "ann", "questions": "Q1", "items": "de_2"}
    )
    assert both == {("bob", "Q0", "de_1"), ("bob", "Q0", "de_2"), ("ann", "Q1", "de_2")}


def test_everyone_is_who_is_known_and_who_is_named() -> None:
    everyone = {"who": "everyone", "questions": "Q0"}
    found = allowed(everyone, {"who": "dora", "questions": "Q0", "at_most": "5"})
    assert {rater for rater, _, _ in found} == {"ann", "bob", "dora"}
    assert routing({"who": ["everyone", "dora"]}).people == ("dora",)
    assert allowed({"who": ["dora", "everyone"], "questions": "Q0"}) == found


def test_the_first_rule_that_says_what_a_request_costs_counts() -> None:
    found = routes(
        {"who": "everyone"},
        {"who": "ann", "cost": "2.5"},
        {"who": "everyone", "cost": "4"},
    )
    assert np.asarray(found.cost)[0, 0].tolist() == [2.5, 4.0]
    plain = routes({"who": "everyone"}).cost
    assert plain is not None
    assert plain.max() == 1


def test_ids_that_are_not_there_and_fields_that_are_needed_are_known() -> None:
    found = routing(
        {"who": "ann", "items": ["de_1", "de_9"]},
        {"who": "bob", "items": {"system": "a"}, "not": {"items": {"metadata.language": "de"}}},
    )
    assert found.unknown_items(UNITS) == ("de_9",)
    assert found.fields == ("system", "metadata.language")
    assert found.signature != routing({"who": "ann"}).signature
    assert len(found.signature) == 12


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"who": "ann"}, "expected a list, each entry after a `-`"),
        ([], "expected at least one entry"),
        (["ann"], r"r.yaml:1: \[0\]: received 'ann'; expected fields with values"),
        ([{"questions": "Q0"}], r"\[0\]: .*`who` is missing: name raters, or everyone"),
        (
            [{"who": "ann", "max": "3"}],
            r"\[0\].max: no such field; allowed are who, questions, items",
        ),
        ([{"who": []}], r"\[0\].who: received .*expected at least one entry"),
        ([{"who": [["ann"]]}], r"\[0\].who\[0\]: received .*expected text"),
        (
            [{"who": "a"}, {"who": "b", "at_most": "-1"}],
            r"\[1\].at_most: received '-1'; .*than or equal to 0",
        ),
        ([{"who": "a", "at_most": "many"}], r"\[0\].at_most: received 'many'"),
        ([{"who": "a", "cost": "0"}], r"\[0\].cost: received '0'; .*greater than 0"),
        ([{"who": "a", "cost": "inf"}], r"\[0\].cost: received 'inf'"),
        ([{"who": "a", "cost": ["1"]}], r"\[0\].cost: received "),
        ([{"who": "a", "items": {"lang?": "de"}}], r"\[0\].items: .*'lang\?' is no field; allowed"),
        ([{"who": "a", "items": {}}], r"\[0\].items: .*names no item"),
        ([{"who": "a", "not": {}}], r"\[0\]: .*`not` names nothing to leave out"),
        (
            [{"who": "a", "not": {"cost": "1"}}],
            r"\[0\].not.cost: no such field; allowed are who, que",
        ),
        ([{"who": "a", "not": [{"who": "b"}]}], r"\[0\].not: received .*; expected fields"),
    ],
)
def test_what_is_no_routing_is_said_with_its_place(rules: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        parse_routing(json.dumps(rules), "r.yaml")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"who": "ann", "questions": "Q7"}, r"\[0\].questions: no calibrator here predicts 'Q7'"),
        ({"who": "ann", "not": {"questions": "Q7"}}, r"no calibrator here predicts 'Q7'"),
        ({"who": "ann", "items": "fr_1"}, r"\[0\].items: .*none of the 4 .*there is 'de_1'"),
        ({"who": "ann", "items": {"system": "c"}}, r"\[0\].items: .*none .*system is a, b here"),
        ({"who": "ann", "not": {"who": "everyone"}}, r"\[0\].not: this leaves nobody to be asked"),
    ],
)
def test_a_rule_that_is_about_nothing_is_an_error(rule: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        routes(rule)

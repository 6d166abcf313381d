from __future__ import annotations

from typing import Any

import pytest

from assize.evaluator._adapting.adapting import adapt_heads
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._adapting.reading import read_labels
from assize.evaluator._adapting.result import Adaptation


@pytest.fixture(scope="module")
def result(world: Any) -> Adaptation:
    given: dict[str, list[Labels]] = {}
    for table in (world.ratings(120, f=1.0), world.votes(60)):
        found = read_labels([*world.items, *world.pairs], table, world.evaluator)
        given.setdefault("overall", []).extend(found["overall"])
    adapted, outcomes = adapt_heads(world.evaluator, given)
    return Adaptation.of(adapted, outcomes, unfit=3)


def test_its_tables_show_before_and_after_scale_and_ties(result: Adaptation) -> None:
    assert list(result.tables) == ["outcomes", "scales", "ties"]
    table = result.tables["outcomes"]
    row = dict(zip((column.name for column in table.columns), table.rows[0], strict=True))
    shown = (row["question"], row["n"], row["change"], row["used"])
    assert shown == ("overall", 120, result.outcomes[0].change, "yes")
    assert "Order of labels held out" in str(result)


def test_its_notes_say_what_was_decided_and_what_was_left_out(result: Adaptation) -> None:
    first, last = result.notes
    assert first.startswith("overall: a change of ")
    assert "put labels held out into a better order (order +" in first
    assert last.startswith("3 labels are of items that are not here")


def test_its_json_has_the_figures_with_their_intervals(result: Adaptation) -> None:
    record = result.to_json()
    (row,) = record["outcomes"]
    told = {name: row[name] for name in ("question", "verdict", "used", "by")}
    assert [*told.values()] == ["overall", "helped", True, "conversation"]
    low, high = row["gain"]["interval"]
    assert low < row["gain"]["estimate"] < high
    assert row["error_after"]["estimate"] < row["error_before"]["estimate"]
    assert record["scales"]["overall"]["error"]["n"] == 120
    assert 0 < record["ties"]["overall"]["threshold"] < 1
    assert record["signature"] == result.evaluator.signature

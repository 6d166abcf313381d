from __future__ import annotations

from typing import Any

import pytest

from assize.evaluator.adapting.adapting import adapt
from assize.evaluator.adapting.reading import read_labels
from assize.evaluator.adapting.result import Adaptation


@pytest.fixture(scope="module")
def result(world: Any) -> Adaptation:
    tables = (world.ratings(120, f=1.0), world.votes(60))
    given: dict[str, Any] = {}
    for table in tables:
        for name, parts in read_labels(
            [*world.items, *world.pairs], table, world.evaluator
        ).items():
            given.setdefault(name, []).extend(parts)
    adapted, outcomes = adapt(world.evaluator, given)
    return Adaptation(adapted, outcomes, unfit=3)


def test_its_tables_show_before_and_after_scale_and_ties(result: Adaptation) -> None:
    assert list(result.tables) == ["order", "error", "scale", "ties"]
    (row,) = result.tables["order"].rows
    assert row[:3] == ("overall", 120, result.outcomes[0].choice.candidate)
    assert row[-1] == "yes"
    assert "before and after adapting" in str(result)


def test_its_notes_say_what_was_decided_and_what_was_left_out(result: Adaptation) -> None:
    first, last = result.notes
    assert first.startswith("overall: a change of ")
    assert "put labels held out into a better order (order +" in first
    assert last.startswith("3 labels are of items that are not here")


def test_its_json_has_the_figures_with_their_intervals(result: Adaptation) -> None:
    found = result.to_json()
    one = found["questions"]["overall"]
    assert (one["verdict"], one["used"], one["groups"]["by"]) == ("helped", True, "conversation")
    for name in ("error", "order"):
        assert set(one[name]) == {"before", "after", "difference", "p_value"}
    low, high = one["order"]["difference"]["interval"]
    assert low < one["order"]["difference"]["estimate"] < high
    assert one["scale"]["n"] == 120
    assert 0 < one["ties"]["threshold"] < 1
    assert found["signature"] == result.evaluator.signature

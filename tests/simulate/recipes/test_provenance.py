"""Metadata say how a dialogue was made, and what each turn cites."""

from __future__ import annotations

from dataclasses import replace

from dialogue_parts import TOPIC, Played, talk

from assize.simulate._recipes.citations import Citations
from assize.simulate._recipes.provenance import cited_by_turn, metadata


def test_a_dialogue_of_one_call_cites_the_sources_of_its_first_answer() -> None:
    assert cited_by_turn(talk("DS3", Played())) == {at: Citations(("1",)) for at in (1, 3, 5)}
    assert cited_by_turn(talk("DS1", Played())) == {}


def test_metadata_hold_recipe_queries_citations_and_the_run() -> None:
    about = replace(TOPIC, metadata={"log": "may"}, persona="a cook")
    found = metadata(talk("DS5", Played(query="thing3"), about=about), {"seed": 4})
    assert (found["log"], found["topic"]) == ("may", "rotate thing3")
    made = found["simulated"]
    expected = {"recipe": "DS5", "topic": "t", "ended": "user", "persona": "a cook", "seed": 4}
    assert expected.items() <= made.items()
    assert made["queries"][1] == {"turn": 4, "query": "thing3"}
    assert made["citations"][1] == {"turn": 4, "known": ["1"], "unknown": ["9"]}

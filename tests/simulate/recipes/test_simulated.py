"""The result says what was made, what failed and why, and what recall is worth."""

from __future__ import annotations

from dialogue_parts import Played, talk

from assize.simulate._recipes.checks import checks_of, source_checks_of
from assize.simulate._recipes.provenance import metadata
from assize.simulate._recipes.simulated import SimulatedDialogues


def test_tables_and_json_hold_the_same_figures() -> None:
    talks = [talk("DS4", Played()), talk("DS4", Played(question='{"other": 1}'))]
    found = SimulatedDialogues(
        records=[talks[0].conversation("DS4@m", metadata(talks[0], {}))],
        n=2,
        unscored=1,
        reasons={"parse": 1},
        recipes=checks_of(talks),
        sources=source_checks_of(talks),
    )
    assert list(found.tables) == ["recipes", "sources"]
    assert "user 1" in str(found)
    assert "Recall is the share of a topic's documents" in str(found)
    said = found.to_json()
    assert found.missing == (1, 2)
    assert said["count"] == 1
    assert said["unscored"] == 1
    assert said["recipes"][0]["exchanges"]["estimate"] == 3
    assert said["sources"][0]["recall"]["n"] == 1

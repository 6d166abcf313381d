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
    assert [chat.id for chat in found] == ["t-DS4"]
    assert found.missing == (1, 2)
    assert list(found.tables) == ["recipes", "sources"]
    assert "user 1" in str(found)
    assert "Recall is the share of a topic's documents" in str(found)
    said = found.to_json()
    assert (said["n"], said["count"], said["unscored"]) == (2, 1, 1)
    (recipe,), (cited,) = said["recipes"], said["sources"]
    assert (cited["known"], cited["unknown"]) == (3, 1)
    assert recipe["exchanges"]["estimate"] == 3
    assert cited["recall"]["n"] == 1

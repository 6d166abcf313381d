"""The result says what was made, what failed and why, and what recall is worth."""

from __future__ import annotations

from dialogue_parts import Played, talk

from assize.simulate._recipes.provenance import metadata
from assize.simulate._recipes.simulated import SimulatedDialogues


def result() -> SimulatedDialogues:
    talks = [talk("DS4", Played()), talk("DS4", Played(question='{"other": 1}'))]
    done = [talks[0].conversation("DS4@m", metadata(talks[0], {}))]
    return SimulatedDialogues(done, talks, 2, again=1, signature="abc")


def test_failures_are_counted_and_missing() -> None:
    found = result()
    assert len(found) == 1
    assert [one.id for one in found] == ["t-DS4"]
    assert dict(found.failures) == {"parse": 1}
    assert found.missing == (1, 2)
    assert "1 dialogue failed: parse" in found.notes
    assert "1 answer asked for again: they could not be read" in found.notes
    assert any("recall counts the documents that a topic names" in one for one in found.notes)


def test_tables_and_json_hold_the_same_figures() -> None:
    found = result()
    assert list(found.tables) == ["recipes", "sources"]
    assert "user 1" in str(found)
    said = found.to_json()
    assert (said["wanted"], said["complete"], said["failed"]) == (2, 1, 1)
    (recipe,), (cited,) = said["recipes"], said["sources"]
    assert (cited["known"], cited["unknown"]) == (3, 1)
    assert recipe["exchanges"]["estimate"] == 3
    assert cited["recall"]["n"] == 1

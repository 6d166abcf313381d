"""Tables leave out what does not apply, and say who ended the dialogues."""

from __future__ import annotations

from dialogue_parts import Played, talk

from assize.simulation.dialogues.simulated import SimulatedDialogues
from assize.simulation.dialogues.tables import tables
from assize.simulation.topics_file import topic


def test_without_documents_there_is_one_table() -> None:
    found = tables(SimulatedDialogues([], [talk("DS1", Played())], 1))
    assert list(found) == ["dialogues"]
    assert found["dialogues"].rows[0][-1] == "one call 1"


def test_recall_stands_there_where_topics_name_documents() -> None:
    plain = talk("DS4", Played(), about=topic({"text": "rotate thing3"}))
    assert list(tables(SimulatedDialogues([], [plain], 1))) == ["dialogues", "sources"]
    both = SimulatedDialogues([], [plain, talk("DS3", Played())], 2)
    (row,) = tables(both)["recall"].rows
    assert row[0] == "DS3"
    assert row[-1] == 1

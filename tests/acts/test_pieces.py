"""A recorded output is cut into what is repeated, who speaks, and which acts follow."""

from __future__ import annotations

from assize.acts._labels import Act
from assize.acts._pieces import Piece, pieces_of
from assize.acts._taxonomy import load_taxonomy

INFORM = Act("Task", "Inform")
LABEL = '<SEP> {"Dim": "Task", "Func": "Inform"}'


def pieces(recorded: object, *own: str) -> list[Piece]:
    return pieces_of(recorded, load_taxonomy(), own)


def test_a_line_names_its_speaker_and_the_number_of_its_response() -> None:
    said = f"Human: Hi. {LABEL}\nAssistant-2: Yes. {LABEL}"
    assert pieces(said) == [
        Piece("Hi.", "user", 0, (INFORM,)),
        Piece("Yes.", "assistant", 2, (INFORM,)),
    ]


def test_two_labels_behind_one_text_are_one_piece() -> None:
    (one,) = pieces(f"Hi. {LABEL} {LABEL.replace('Inform', 'Answer')}")
    assert one.acts == (INFORM, Act("Task", "Answer"))

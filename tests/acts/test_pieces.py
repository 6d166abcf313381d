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


def test_an_object_keyed_by_text_speaks_for_equal_turns() -> None:
    (one,) = pieces({"Human: Hi.": {"Dim": "Task", "Func": "Inform"}})
    assert one == Piece("Hi.", "user", 0, (INFORM,), keyed=True)


def test_a_label_that_a_turn_itself_holds_is_no_label() -> None:
    turn = 'Write {"Dim": "Task", "Func": "Answer"} here.'
    (one,) = pieces(f"Human: {turn} {LABEL}", turn)
    assert one.acts == (INFORM,)

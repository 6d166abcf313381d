"""Labels as models write them, in every shape that real outputs hold."""

from __future__ import annotations

import pytest

from assize.acts._labels import Act
from assize.acts._recorded import Spoken, read_recorded

ASK, INFORM, ANSWER = ("Task", "Set Question"), ("Task", "Inform"), ("Task", "Answer")


@pytest.mark.parametrize(
    ("label", "acts"),
    [
        ('{"Dim": "Task", "Func": "Inform & Answer"}', [INFORM, ANSWER]),
        ('{"Dim": "Task", "Func": "Inform, Answer"}', [INFORM, ANSWER]),
        ('{"Dim": "Task", "Func": ["Inform", "Answer"]}', [INFORM, ANSWER]),
        ('{"Dim": "Task", "Func": "Inform"}, {"Dim": "Task", "Func": "Answer"}', [INFORM, ANSWER]),
        ('{"Dim": "Task", "Func": "Inform"} {"Dim": "Task", "Func": "Answer"}', [INFORM, ANSWER]),
        ('[{"Dim": "Task", "Func": "Inform"}]', [INFORM]),
        ('{"Dim": "Task", "Func": "Inform", "Func": "Answer"}', [INFORM, ANSWER]),
        (
            '{"Dim": "Task", "Func": "Inform", "Dim": "Auto-Feedback", "Func": "Auto-Positive"}',
            [INFORM, ("Auto-Feedback", "Auto-Positive")],
        ),
        ('{"Func": "Inform", "Dim": "Task"}', [("", "Inform"), ("Task", "")]),
        ('{"Dim": "Agreement"}', [("Agreement", "Agreement")]),
        ('{"Dim": "Task"}', [("Task", "")]),
        ('{"Dim": "Task", "Func": "Explain"}', [("Task", "Explain")]),
        ('{"Dim": "Small Talk", "Func": "Inform"}', [("Small Talk", "Inform")]),
        ('{"Dim": "Task", "Func": "inform"}', [INFORM]),
        ('"{\\"Dim\\": \\"Task\\", \\"Func\\": \\"Inform\\"}"', [INFORM]),
    ],
)
def test_labels_of_every_shape_give_their_acts(label: str, acts: list[tuple[str, str]]) -> None:
    (found,) = read_recorded(f"Human: Hi <SEP> {label}", [Spoken("user", 0, "Hi")]).turns
    assert found == tuple(Act(*act) for act in acts)

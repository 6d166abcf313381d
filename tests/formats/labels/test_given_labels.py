from __future__ import annotations

import pytest

import assize
from assize import Conversation, Judgment, Question, Turn
from assize.base.errors import ConfigError
from assize.formats.labels.given_labels import labels_as_ratings

CHATS = [
    Conversation(f"c{n}", (Turn("user", "Hi"),), metadata={"thumbs": "up" if n % 3 else "down"})
    for n in range(12)
]


def test_labels_are_gold_s_answers() -> None:
    table = labels_as_ratings(CHATS, "thumbs:up=1,down=0", question="liked")
    assert {(one.judge, one.question) for one in table} == {("gold", "liked")}
    assert [one.answer for one in table][:3] == ["0", "1", "1"]


def test_ratings_and_labels_do_not_go_together() -> None:
    with pytest.raises(ConfigError, match="give ratings or label"):
        labels_as_ratings(CHATS, "thumbs", instead_of=[], called="ratings")


def test_a_calibrator_learns_from_thumbs() -> None:
    asked = Question("Q0", kind="ordinal", answers=("1", "2"), values=(1, 2))
    rows = [
        Judgment(one.id, "m", "Q0", answer="1" if n % 3 == 0 else "2", kind="model")
        for n, one in enumerate(CHATS)
    ]
    said = assize.JudgmentTable.of(rows, [asked])
    found = assize.calibrate.fit(said, target="liked", label="thumbs:up=1,down=0", items=CHATS)
    assert found.raters == ("gold",)
    by_dict = {one.id: one.metadata["thumbs"] for one in CHATS}
    assert assize.calibrate.fit(said, target="liked", label=by_dict).raters == ("gold",)
    with pytest.raises(ConfigError, match="give ratings, or a label"):
        assize.calibrate.fit(said, target="liked")

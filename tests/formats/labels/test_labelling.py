"""Labels of items, by a field of theirs or by a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import write_text

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.formats import write
from assize.formats.labels import labels_of
from assize.formats.labels.labelling import labels_as_ratings


def chat(name: str, system: str | None = None, turn: Any = None, **metadata: Any) -> Conversation:
    extra = {} if turn is None else {"thumbs": turn}
    turns = (Turn("user", "Hi"), Turn("assistant", "Hello", extra=extra))
    return Conversation(name, turns, system, metadata, {"stars": len(name)})


CHATS = [
    chat("a", "old", thumbs="up", deep={"er": {"on": 5}}, turn="up"),
    chat("bb", "new", thumbs="down", deep={"er": {"on": 1}}, turn="down"),
    chat("ccc", "new", thumbs="meh", deep={"er": {"on": 3}}),
    chat("dddd", "old"),
]


@pytest.mark.parametrize(
    ("spec", "good"),
    [
        ("thumbs:up=1,down=0", {"a": True, "bb": False}),
        ("thumbs", {"a": True, "bb": False}),
        ("metadata.thumbs", {"a": True, "bb": False}),
        ("deep.er.on>=4,<=2", {"a": True, "bb": False}),
        ("deep.er.on>=3", {"a": True, "bb": False, "ccc": True}),
        ("system:new=1,old=0", {"a": False, "bb": True, "ccc": True, "dddd": False}),
        ("stars>2", {"a": False, "bb": False, "ccc": True, "dddd": True}),
        ("turns.thumbs", {"a": True, "bb": False}),
        ("thumbs:down=0,missing=1", {"bb": False, "dddd": True}),
        ({"a": 1, "bb": False, "ccc": "good"}, {"a": True, "bb": False, "ccc": True}),
    ],
)
def test_a_field_says_what_is_good(spec: Any, good: dict[str, bool]) -> None:
    labels = labels_of(CHATS, spec)
    assert labels.good == good
    assert (labels.total, labels.unlabelled) == (4, 4 - len(good))


def test_turns_that_say_both_leave_an_item_without_a_label() -> None:
    chats = [
        Conversation(name, tuple(Turn("user", "", extra={"t": thumb}) for thumb in thumbs))
        for name, thumbs in (
            ("both", ["up", "down"]),
            ("twice", ["up", "up"]),
            ("down", ["down"]),
            ("none", [""]),
        )
    ]
    labels = labels_of(chats, "turns.t")
    assert labels.good == {"twice": True, "down": False}
    assert labels.mixed == 1


@pytest.mark.parametrize(
    "text",
    [
        "id,label\na,1\nbb,0\n",
        "item,label\na,good\nbb,bad\n",
        "conversation,label\na,up\nbb,down\n",
    ],
)
def test_a_file_of_ids_and_labels(tmp_path: Path, text: str) -> None:
    path = write_text(tmp_path / "labels.csv", text)
    assert labels_of(CHATS, str(path)).good == {"a": True, "bb": False}
    assert labels_of(None, str(path), known=["a", "bb"]).good == {"a": True, "bb": False}
    assert labels_of(None, str(path)).total == 2


def test_another_column_of_a_file(tmp_path: Path) -> None:
    path = write_text(
        tmp_path / "labels.jsonl",
        '{"id": "a", "stars": 5}\n{"id": "bb", "metadata": {"stars": 1}}\n',
    )
    assert labels_of(CHATS, f"stars>=4@{path}").good == {"a": True, "bb": False}
    with pytest.raises(DataError, match=r"no row has a column 'label' .*, as stars@/"):
        labels_of(CHATS, str(path))


def test_judgments_are_labels_by_gold_else_by_people(tmp_path: Path) -> None:
    path = str(tmp_path / "people.jsonl")
    rated = [("a", "ann", 5), ("a", "bob", 4), ("bb", "ann", 1), ("bb", "bob", 2)]
    rows = [
        Judgment(item, judge, "stars", score=score, kind="person") for item, judge, score in rated
    ]
    write(path, [*rows, Judgment("a", "bot", "stars", score=0, kind="model")])
    assert labels_of(CHATS, f"stars>4@{path}").good == {"a": True, "bb": False}
    with pytest.raises(DataError, match="no question 'thumbs'; asked were stars"):
        labels_of(CHATS, f"thumbs@{path}")
    answers = [("bb", "gold", "yes"), ("a", "gold", "no"), ("a", "eve", "yes")]
    gold = [Judgment(item, judge, "ok", answer=answer) for item, judge, answer in answers]
    write(path, [*rows, *gold])
    assert labels_of(CHATS, f"ok@{path}").good == {"a": False, "bb": True}
    write(path, gold[:2])  # gold alone needs no question
    assert labels_of(CHATS, path).good == {"a": False, "bb": True}


def test_unknown_conversations_are_counted_and_named(tmp_path: Path) -> None:
    path, unknown = tmp_path / "labels.csv", "x,1\ny,1\nz,0\nw,0\n"
    path.write_text(f"id,label\na,1\nbb,0\n{unknown}")
    assert labels_of(CHATS, str(path)).notes[-1] == (
        "4 labels name no conversation that is here: x, y, z"
    )
    path.write_text(f"id,label\n{unknown}")
    with pytest.raises(
        DataError,
        match=r"labels\.csv: none of the 4 conversations .* x, y, z, the conversations a, bb, ccc;",
    ):
        labels_of(CHATS, str(path))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            "tumbs",
            r"no item has the field 'tumbs'; there are thumbs, deep\.er, stars, system",
        ),
        ("stars", r"of numbers say which are good, as 'stars>=4'"),
        ("thumbs:UP=0,no=1", r"all 1 labelled conversations are bad, and none is good; seen were"),
        (
            "thumbs:yes=1,no=0",
            r"no value of 'thumbs' has a label; .*meh \(1, not mapped\)",
        ),
        ("deep>=3", r"no value of 'deep' has a label; .* say which are good"),
        ("labels.csv", "labels.csv: there is no such file"),
        ("thumbs@labels.csv", "labels.csv: there is no such file"),
    ],
)
def test_what_gives_no_labels_is_told(spec: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        labels_of(CHATS, spec)


def test_numbers_alone_are_ratings_where_they_are_asked_for(tmp_path: Path) -> None:
    path = str(write_text(tmp_path / "labels.csv", "id,label\na,5\nbb,1\nbb,2\n"))
    labels = labels_of(CHATS, path, numbers=True)
    assert labels.ratings == {"a": 5.0, "bb": 1.5}
    assert labels.notes == [f"labels by {path}: 2 numbers, 2 without one"]
    table = labels.to_judgments("overall")
    assert [(row.item, row.judge, row.score) for row in table] == [
        ("a", "gold", 5.0),
        ("bb", "gold", 1.5),
    ]
    assert table.questions["overall"].kind == "number"


@pytest.mark.parametrize("labels", [{"a": 1, "bb": 0}, {"a": "up", "bb": "down"}])
def test_labels_of_two_values_are_no_ratings(labels: dict[str, Any]) -> None:
    assert labels_of(CHATS, labels, numbers=True).good == {"a": True, "bb": False}


def test_a_rule_cuts_numbers_though_they_are_asked_for(tmp_path: Path) -> None:
    path = write_text(tmp_path / "labels.csv", "id,stars\na,5\nbb,1\n")
    found = labels_of(CHATS, f"stars>=4@{path}", numbers=True)
    assert (found.good, found.ratings) == ({"a": True, "bb": False}, {})


def test_a_spec_without_items_is_refused() -> None:
    with pytest.raises(DataError, match="needs the conversations: give items"):
        labels_of(None, "thumbs:up=1,down=0", known=["a"])
    with pytest.raises(ConfigError, match="write VALUE=1"):
        labels_of(CHATS, "thumbs:")


THUMBED = [
    Conversation(f"c{n}", (Turn("user", "Hi"),), metadata={"thumbs": "up" if n % 3 else "down"})
    for n in range(12)
]


def test_labels_are_gold_s_answers() -> None:
    table = labels_as_ratings(THUMBED, "thumbs:up=1,down=0", question="liked")
    assert {(one.judge, one.question) for one in table} == {("gold", "liked")}
    assert [one.answer for one in table][:3] == ["0", "1", "1"]


SAID = assize.JudgmentTable.of(
    [
        Judgment(one.id, "m", "Q0", answer="1" if n % 3 == 0 else "2", kind="model")
        for n, one in enumerate(THUMBED)
    ],
    [Question("Q0", kind="ordinal", answers=("1", "2"), values=(1, 2))],
)


@pytest.mark.parametrize(
    "label", ["thumbs:up=1,down=0", {one.id: one.metadata["thumbs"] for one in THUMBED}]
)
def test_a_calibrator_learns_from_thumbs(label: Any) -> None:
    found = assize.calibrate.fit(SAID, target="liked", label=label, items=THUMBED)
    assert found.raters == ("gold",)


def test_answers_are_learnt_from_ratings_or_from_a_label() -> None:
    with pytest.raises(ConfigError, match="give ratings, or a label"):
        assize.calibrate.fit(SAID, target="liked")
    with pytest.raises(ConfigError, match="give ratings or label"):
        labels_as_ratings(THUMBED, "thumbs", instead_of=[], called="ratings")

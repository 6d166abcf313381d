"""What `assize check` finds, record by record and across files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from assize.base.conversation import Continuation, Conversation, Pair, Reference, ToolCall, Turn
from assize.base.judgment import Judgment, Question, Unscored
from assize.formats import Record, Reject
from assize.formats.checks import FINDINGS, PLACES, Checker, FileReport, of_record, summarise_check

USER, BOT = Turn("user", "Which one?"), Turn("assistant", "This one.")


def reported(lines: Iterable[tuple[int, Record]], *known: Question) -> FileReport:
    """What is said of one file with these records."""
    checker = Checker()
    report = checker.begin("x.jsonl")
    checker.know(known)
    for line, record in lines:
        checker.add(record, line)
    checker.finish()
    return report


SOUND = Conversation("c", (USER, BOT))
SCALE = {
    "q": Question("q", "How?", "ordinal", ("1", "2", "3"), range=(1, 3)),
    "s": Question("s", answers=("1",), extra={"inferred": True}),
}
LOST = Judgment("lost", "j", "q", answer="1")
BLANK = replace(LOST, kind="person", answer=None, unscored=Unscored("missing", "empty"))


def bot(text: str, *references: Reference) -> Turn:
    return Turn("assistant", text, references)


def pair(a: str, b: str) -> Pair:
    return Pair("p", (USER,), (bot(a),), (bot(b),))


CASES: list[tuple[str, Record, list[str]]] = [
    ("a sound one", Conversation("c", (Turn("system", "Be kind."), USER, BOT)), []),
    ("two users", Conversation("c", (USER, USER, BOT)), ["same role twice in a row"]),
    ("two tools", Conversation("c", (USER, Turn("tool", "1"), Turn("tool", "2"), BOT)), []),
    ("two empty turns", Conversation("c", (Turn("user", ""), bot(" \n"))), ["empty turn"] * 2),
    (
        "a tool call has no text",
        Conversation("c", (USER, Turn("assistant", "", extra={"tool_calls": []}))),
        [],
    ),
    ("nobody answers", Conversation("c", (USER,)), ["no assistant turn"]),
    (
        "a late system turn",
        Conversation("c", (USER, Turn("system", "x"), BOT)),
        ["system turn not first"],
    ),
    (
        "a dialogue in one turn",
        Conversation("c", (Turn("user", "User: Hi\n\nBot: Hello!\nUser: Bye"), BOT)),
        ["transcript in one turn"],
    ),
    (
        "a dialogue of others in one turn",
        Conversation("c", (Turn("user", "[10:03] Client: Hi\n[10:04] Agent: Hello!"), BOT)),
        ["transcript in one turn"],
    ),
    (
        "a dialogue that the user asks about",
        Conversation("c", (Turn("user", "Who is right?\nUser: Me\nBot: No, I am"), BOT)),
        [],
    ),
    ("a speaker's name alone", Conversation("c", (Turn("user", "User: the word"), BOT)), []),
    (
        "a citation of nothing",
        Conversation("c", (USER, bot("So [1]."))),
        ["cites a missing source"],
    ),
    (
        "a citation of a place in the list",
        Conversation(
            "c", (USER, bot("So [2].", Reference("x", text="t"), Reference("y", text="t")))
        ),
        [],
    ),
    (
        "a citation of an earlier turn's source",
        Conversation("c", (USER, bot("So.", Reference("7", text="t")), USER, bot("So [7]."))),
        [],
    ),
    (
        "what only looks like a citation",
        Conversation("c", (USER, bot("a[1], `x = [1]`, [1](http://x), ```\n[1]\n```, [2024]"))),
        [],
    ),
    (
        "an empty source",
        Conversation("c", (USER, bot("So [1].", Reference("1")))),
        ["reference without text"],
    ),
    ("two different answers", pair("yes", "no"), []),
    ("two equal answers", pair("yes", "yes"), ["identical responses"]),
    ("one empty answer", pair("yes", " "), ["empty response"]),
    ("no answers", pair("", ""), ["empty response", "empty response", "identical responses"]),
    (
        "a side that repeats the user",
        Pair("p", (USER,), (USER, BOT), (BOT,)),
        ["same role twice in a row"],
    ),
    ("a continuation", Continuation("k", (USER,), "Well.", ("This.",)), []),
    ("an empty continuation", Continuation("k", (USER,), "", ("This.",)), ["empty response"]),
    ("a continuation without references", Continuation("k", (USER,), "Well."), ["no reference"]),
    ("an empty reference", Continuation("k", (USER,), "Well.", (" ",)), ["no reference"]),
    ("a judgment", Judgment("c", "j", "q", answer="2"), []),
    ("an answer that does not apply", Judgment("c", "j", "q", answer="NA"), []),
    ("an answer off the scale", Judgment("c", "j", "q", answer="4"), ["answer outside the scale"]),
    ("a score off the scale", Judgment("c", "j", "q", score=3.5), ["answer outside the scale"]),
    (
        "a probability off the scale",
        Judgment("c", "j", "q", distribution={"1": 0.5, "9": 0.5}),
        ["answer outside the scale"],
    ),
    (
        "mass that is missing",
        Judgment("c", "j", "q", distribution={"1": 0.5, "2": 0.4}),
        ["probabilities do not sum to 1"],
    ),
    (
        "mass that is stated as outside",
        Judgment("c", "j", "q", distribution={"1": 0.5, "2": 0.4}, outside=0.1),
        [],
    ),
    ("a question nobody defined", Judgment("c", "j", "r", answer="2"), ["question not defined"]),
    (
        "a question that was guessed",
        Judgment("c", "j", "s", answer="1"),
        ["question with a guessed scale"],
    ),
    (
        "a cell that fits no answer",
        Judgment("c", "ann", "q", kind="person", unscored=Unscored("parse", "cell '3?'")),
        ["cell that fits no answer"],
    ),
    ("invisible in a turn", Conversation("c", (USER, bot("a\x1b[0m"))), ["invisible characters"]),
    (
        "invisible in a source",
        Conversation("c", (USER, bot("x", Reference("1", "", "hid\u200bden")))),
        ["invisible characters"],
    ),
    (
        "invisible in a call",
        Conversation(
            "c", (USER, Turn("assistant", "x", tool_calls=(ToolCall("1", "f", {"q": "\u202e"}),)))
        ),
        ["invisible characters"],
    ),
    (
        "invisible in a candidate",
        Continuation("k", (USER,), "a\U000e0041", ("b",)),
        ["invisible characters"],
    ),
    (
        "what shapes an emoji and a Persian word",
        Conversation("c", (USER, bot("\u2764\ufe0f \u0645\u06cc\u200c\u062e"))),
        [],
    ),
]


@pytest.mark.parametrize(
    ("record", "findings"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_one_record_shows(record: Record, findings: list[str]) -> None:
    assert list(of_record(record, SCALE)) == findings
    assert set(findings) <= set(FINDINGS)


def test_duplicates_are_told_apart_by_file_and_kind() -> None:
    checker = Checker()
    first = checker.begin("a.jsonl")
    checker.add(SOUND, 1)
    checker.add(SOUND, 2)
    checker.add(Pair("c", (USER,), (BOT,), (bot("No."),)), 3)
    second = checker.begin("b.jsonl")
    checker.add(SOUND, 1)
    checker.add(SOUND, 2)
    checker.finish()
    assert (first.findings, first.places) == ({"duplicate id": 1}, {"duplicate id": ["2"]})
    assert second.findings == {"duplicate id across files": 1, "duplicate id": 1}


@pytest.mark.parametrize(
    ("records", "findings"),
    [
        # A numbered vote is none that is repeated.
        (
            [Judgment("c", "j", "q", answer="1", repeat=repeat) for repeat in (0, 0, 1)],
            {"duplicate judgment": 1},
        ),
        # Blank cells of people repeat in every copy of a sheet.
        ([BLANK, LOST, BLANK], {}),
        # A judged item is missed only where items are checked.
        ([LOST], {}),
        ([LOST, SOUND], {"judged item not here": 1}),
    ],
)
def test_the_records_of_a_file_are_compared(
    records: list[Record], findings: dict[str, int]
) -> None:
    assert reported(enumerate(records, 1), *SCALE.values()).findings == findings


def test_only_the_first_places_are_kept_and_all_are_counted() -> None:
    checker = Checker()
    report = checker.begin("x.jsonl")
    for line in range(1, 10):
        checker.add(Conversation(f"c{line}", (USER,)), line)
        checker.reject(Reject("x.jsonl", line, "role", "is wrong", ""))
    assert report.findings == {"no assistant turn": 9, "unreadable record": 9}
    assert report.places["no assistant turn"] == ["1", "2", "3"]
    assert report.problems == [f"line {line}: role: is wrong" for line in range(1, PLACES + 1)]


def test_names_of_raters_that_differ_by_case_or_spaces_are_listed() -> None:
    names = ["Ann Lee", "ann lee", "Ann  Lee", "Ben", "Ann Lee"]
    rows = (Judgment(f"c{n}", name, "q", answer="1", kind="person") for n, name in enumerate(names))
    report = reported(enumerate(rows, start=2))
    assert report.places["names that differ by case or spaces"] == ["3", "4"]


def test_sound_files_have_no_table_of_findings() -> None:
    sound = FileReport("a.jsonl", "assize")
    sound.kinds["pairs"] = 1
    result = summarise_check([sound])
    assert list(result.tables) == ["files"]
    assert result.tables["files"].rows == [["a.jsonl", "assize", 1]]
    assert [column.name for column in result.tables["files"].columns][-1] == "pairs"
    assert result.notes == ["no findings"]


def test_findings_name_their_first_lines_and_what_to_do() -> None:
    bad = FileReport("b.jsonl", "assize")
    for line in range(5):
        bad.add("empty turn", str(line))
    result = summarise_check([bad])
    assert result.tables["findings"].title == "b.jsonl: Findings"
    assert result.tables["findings"].rows == [["empty turn", 5, "0, 1, 2"]]
    assert result.notes == ["empty turn: fill it or remove it"]
    assert [finding.count for finding in result.findings] == [5]


def test_a_file_that_was_not_opened_is_unreadable_and_a_problem() -> None:
    result = summarise_check([FileReport("c.jsonl", problems=["there is no such file"])])
    assert result.problems == ["c.jsonl: there is no such file"]
    assert result.notes == []
    assert result.to_json()["unreadable"] == 1
    assert result.tables == {}
    both = summarise_check([FileReport("a.jsonl", "assize"), FileReport("c.jsonl")])
    assert both.tables["files"].rows == [["a.jsonl", "assize"], ["c.jsonl", None]]

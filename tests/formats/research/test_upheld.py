from __future__ import annotations

import csv
import gzip
import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.conftest import records_as, write_text

from assize.base.conversation import Continuation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.formats import Reject, parse, read, read_judgments, to_json
from assize.formats.converting import convert
from assize.formats.questions import read_questions
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records
from assize.formats.research.upheld import columns_of, conversations

HEADER = ("chat_history", "Option A", "Option B", "Content", "Style", "Reasonableness")
SHORT = "Human: Hi\nAI: Hello, how can I help?"
LONG = f"{SHORT}\nHuman: A poem.\nAI: About what?"
OTHER = "Human: Good day\nAI: Good day."


def table(path: Path, *rows: tuple[str, ...], header: tuple[str, ...] = HEADER) -> Path:
    with open(path, "w", newline="") as stream:
        csv.writer(stream).writerows((header, *rows))
    return path


def split(path: Path, **options: str) -> tuple[list[Continuation], list[Judgment]]:
    found = list(iter_records(path, ReadOptions(values=options)))
    assert [parse(to_json(one)) for one in found] == found
    return (
        [one for one in found if isinstance(one, Continuation)],
        [one for one in found if isinstance(one, Judgment)],
    )


def row(
    history: str = SHORT, a: str = "A poem.", b: str = "Write!", *scores: str
) -> tuple[str, ...]:
    return (history, a, b, *(scores or ("3: Neutral - some overlap", "2", "5.0")))


def test_a_row_is_a_continuation_and_three_ratings_by_the_file_s_person(tmp_path: Path) -> None:
    (item,), ratings = split(table(tmp_path / "ann.csv", row()))
    assert (item.references, item.candidate, item.turn) == (("A poem.",), "Write!", 2)
    assert [(turn.role, turn.text) for turn in item.context] == [
        ("user", "Hi"),
        ("assistant", "Hello, how can I help?"),
    ]
    assert {one.question: one.answer for one in ratings} == {
        "content": "3",
        "style": "2",
        "reasonableness": "5",
    }
    assert ratings[0].details == {"label": "Neutral - some overlap"}
    assert {(one.judge, one.kind, one.item) for one in ratings} == {("ann", "person", item.id)}


def test_the_words_of_a_score_become_labels_of_its_question(tmp_path: Path) -> None:
    path = table(tmp_path / "ann.csv", row(), row(OTHER, "a", "b", "1: None", "2", "5: Fully"))
    questions = read_judgments([path]).questions
    assert {name: one.labels for name, one in questions.items()} == {
        "content": {"1": "None", "3": "Neutral - some overlap"},
        "style": {},
        "reasonableness": {"5": "Fully"},
    }
    done = convert(read([path]), tmp_path / "out.jsonl")
    assert {one.id: one for one in read_questions(done.questions or "")} == questions


@pytest.mark.parametrize(
    "last",
    ["Reasonability", "reasonableness score", "RESONABLENESS", "Reasonabilty (1-5)", "reason_able"],
)
def test_the_file_is_recognised_whatever_the_spelling_of_its_columns(
    last: str, tmp_path: Path
) -> None:
    header = ("Chat History", "option_a", "OPTION B", "content_score", "Style ", last)
    found = records_as("upheld", table(tmp_path / "x.csv", row(), header=header))
    assert [one.question for one in found[1:]] == ["content", "style", "reasonableness"]
    assert "reasonableness" not in columns_of([*header[:5], "Seasoning"])


AGAIN = row(SHORT, "A poem.", "Write!", "1", "1", "1")


@pytest.mark.parametrize(
    ("header", "rows", "options", "items", "raters"),
    [
        # The annotator stands in a column that is named, or that its name tells.
        (
            ("who",),
            [(*row(), "ann"), (*row(), "bob")],
            {"rater_column": "who"},
            1,
            [("ann", 0, False), ("bob", 0, False)],
        ),
        (
            ("Annotator ID",),
            [(*row(), "ann"), (*row(), "bob")],
            {},
            1,
            [("ann", 0, False), ("bob", 0, False)],
        ),
        # Rows with the same texts may be several people's, whom nothing names.
        (
            (),
            [row(), AGAIN, row(OTHER, "y", "z")],
            {"repeats": "raters"},
            2,
            [("rater-1", 0, True), ("rater-2", 0, True), ("rater-1", 0, True)],
        ),
        # The same person's second look is a repeat.
        ((), [row(), AGAIN], {}, 1, [("all", 0, False), ("all", 1, False)]),
    ],
)
def test_who_rated_is_a_column_the_file_or_nobody_known(
    header: tuple[str, ...],
    rows: list[tuple[str, ...]],
    options: dict[str, str],
    items: int,
    raters: list[tuple[str, int, bool]],
    tmp_path: Path,
) -> None:
    path = table(tmp_path / "all.csv", *rows, header=(*HEADER, *header))
    found, ratings = split(path, **options)
    assert len(found) == items
    assert [(one.judge, one.repeat, one.anonymous) for one in ratings[::3]] == raters


def test_columns_for_source_and_conversation_are_used(tmp_path: Path) -> None:
    header, cells = (*HEADER, "Source", "conversation_id", "batch"), ("gpt-4o", "c9", "1")
    (item,), _ = split(table(tmp_path / "x.csv", (*row(), *cells), header=header))
    assert (item.source, item.conversation, item.metadata) == ("gpt-4o", "c9", {"batch": "1"})


def test_a_conversation_is_inferred_in_any_order_of_the_rows(tmp_path: Path) -> None:
    rows = [row(LONG, "Rain.", "x"), row(OTHER, "y", "z"), row(SHORT, "A poem.", "w")]
    forward, _ = split(table(tmp_path / "f.csv", *rows))
    backward, _ = split(table(tmp_path / "b.csv", *reversed(rows)))
    long, other, short = forward
    assert long.conversation == short.conversation != other.conversation
    assert {one.id: one.conversation for one in forward} == {
        one.id: one.conversation for one in backward
    }
    assert [one.turn for one in forward] == [4, 2, 2]


def test_histories_may_be_json_messages_too(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello, how can I help?"},
    ]
    rows = [row(json.dumps(messages)), row(LONG, "Rain.", "x")]
    (listed, spelt), _ = split(table(tmp_path / "x.csv", *rows))
    assert listed.context == spelt.context[:2]
    assert listed.conversation == spelt.conversation


def test_an_empty_history_joins_no_other_conversation(tmp_path: Path) -> None:
    (start, other), _ = split(table(tmp_path / "x.csv", row("", "Hi", "Hey"), row()))
    assert (start.turn, start.context) == (0, ())
    assert start.conversation != other.conversation


def test_cells_as_the_paper_prints_them_are_read(tmp_path: Path) -> None:
    history = (
        "<p>user: I failed a math exam &amp; need help.</p> <p>assistant: Sure.</p>"
        " <p>user: Janet starts with five dollars.</p>"
    )
    cells = row(
        history,
        "She has two.",
        "<p>Two.</p> <ol><li>5 - 3</li></ol>",
        "2: Disagree - very little overlap of content",
        "1: Different styles",
        "5: A reasonable continuation",
    )
    (item,), ratings = split(table(tmp_path / "x.csv", cells))
    assert [turn.role for turn in item.context] == ["user", "assistant", "user"]
    assert item.context[0].text == "I failed a math exam & need help."
    assert item.candidate == "Two.\n\n5 - 3"
    assert [one.answer for one in ratings] == ["2", "1", "5"]


def test_the_name_of_a_compressed_file_is_the_person_s_too(tmp_path: Path) -> None:
    plain = table(tmp_path / "ann.csv", row(OTHER, "a", "b", "", "2", "3"), row())
    (tmp_path / "zoe.csv.gz").write_bytes(gzip.compress(plain.read_bytes()))
    items, ratings = split(tmp_path / "zoe.csv.gz")
    assert {one.judge for one in ratings} == {"zoe"}
    assert items == split(plain)[0]
    assert [one.unscored is not None for one in ratings] == [True, *[False] * 5]


@pytest.mark.parametrize(
    ("cells", "options", "error", "problem"),
    [
        (row(SHORT, "a", "b", "6", "2", "3"), {}, DataError, "Content: answer '6' is outside 1..5"),
        (
            row(SHORT, "a", "b", "good", "2", "3"),
            {},
            DataError,
            "Content: answer 'good' is outside",
        ),
        (row(SHORT, "", "b"), {}, DataError, "Option A: is empty"),
        (row("Hi there", "a", "b"), {}, DataError, "chat_history: received 'Hi there'; expected a"),
        (row(), {"rater_column": "who"}, DataError, "who: is empty"),
        (row(), {"rater_column": "nobody"}, ConfigError, "nobody"),
        (row(), {"repeats": "x"}, ConfigError, "repeats"),
    ],
)
def test_a_bad_row_or_option_is_an_error_with_its_column(
    cells: tuple[str, ...],
    options: dict[str, str],
    error: type[Exception],
    problem: str,
    tmp_path: Path,
) -> None:
    path = table(tmp_path / "x.csv", (*cells, " "), header=(*HEADER, "who"))
    with pytest.raises(error, match=problem):
        split(path, **options)


def test_a_row_that_is_no_object_is_an_error_of_its_own(tmp_path: Path) -> None:
    good = dict(zip(HEADER, row(), strict=True))
    path = write_text(
        tmp_path / "x.jsonl",
        f"{json.dumps(good)}\n[1]\n{json.dumps({**good, 'Option A': None})}\n",
    )
    rejects: list[Reject] = []
    assert len(list(iter_records(path, on_reject=rejects.append))) == 4
    assert [(one.line, one.field) for one in rejects] == [(2, None), (3, "Option A")]


def test_columns_are_compared_once_and_only_where_they_can_be_alike() -> None:
    names = [*HEADER, *(f"column {n}" for n in range(50_000)), "x" * 1_000_000]
    for _ in range(20):
        assert set(columns_of(names)) == set(columns_of(HEADER))


def test_a_score_with_many_blanks_is_read_in_one_pass(tmp_path: Path) -> None:
    blanks = " " * 100_000
    path = table(tmp_path / "x.csv", row(SHORT, "a", "b", f"3: a{blanks}b{blanks}", "1", "2"))
    _, rows = split(path)
    assert rows[0].details == {"label": f"a{blanks}b"}


turn = st.tuples(st.sampled_from(["user", "assistant"]), st.sampled_from(["a", "b", "ab"]))
histories = st.lists(st.lists(turn, max_size=5), max_size=12)


def joined(table: list[list[tuple[str, str]]]) -> list[int]:
    """Group numbers by the definition: the closure of "one is a prefix of the other"."""
    group = list(range(len(table)))
    for one, first in enumerate(table):
        for two, second in enumerate(table):
            short, long = sorted((first, second), key=len)
            if first == second or (short and long[: len(short)] == short):
                old, new = group[two], group[one]
                group = [new if number == old else number for number in group]
    return group


@given(histories)
def test_groups_are_those_of_the_definition(table: list[list[tuple[str, str]]]) -> None:
    found, expected = conversations(table, "x"), joined(table)
    for one, two in product(range(len(table)), repeat=2):
        assert (found[one] == found[two]) == (expected[one] == expected[two])


@given(st.data(), histories)
def test_ids_do_not_depend_on_the_order_of_the_rows(
    data: st.DataObject, table: list[list[tuple[str, str]]]
) -> None:
    order = data.draw(st.permutations(range(len(table))))
    found = conversations(table, "x")
    again = conversations([table[place] for place in order], "x")
    assert [found[place] for place in order] == again

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import BARE, PAIR, TALK, lines, make_task
from tests.web.tasks.test_check_labels import VOTE

from assize.base.errors import DataError
from assize.web._tasks import Task, check_task

GOLD = {"item": "c1", "judge": "gold", "question": "Q0", "answer": "4"}


def task_of(folder: Path, kind: str = "rate", **fields: Any) -> Task:
    fields.setdefault("settings", {"rubric": "information-seeking"})
    return make_task(folder, kind, [TALK, BARE], **fields)


def acts_of(folder: Path) -> Task:
    lines(folder / "judged.jsonl", [VOTE])
    settings = {"judgments": ["judged.jsonl"]}
    return make_task(folder, "check", [PAIR], settings=settings, gold={"judgments": ["gold.jsonl"]})


def gold(folder: Path, *rows: dict[str, Any]) -> dict[str, Any]:
    lines(folder / "gold.jsonl", rows or [GOLD])
    return {"judgments": ["gold.jsonl"]}


def qualifying(folder: Path, *rows: dict[str, Any]) -> dict[str, Any]:
    lines(folder / "first.jsonl", [TALK])
    return {"items": ["first.jsonl"], **gold(folder, *rows)}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"item": "elsewhere"}, r"yaml:\d+: gold.*none of the items has a gold answer"),
        ({"answer": "9"}, r"'c1': '9' is no answer to Q0; allowed are 1, 2, 3, 4"),
        ({"question": "mood"}, "'c1' has answers to mood; the task asks Q2"),
        ({"answer": None, "score": 4.5}, r"'c1': '4\.5' is no answer to Q0"),
    ],
)
def test_gold_that_the_task_does_not_ask_or_offer_is_refused(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        check_task(task_of(tmp_path, gold=gold(tmp_path, {**GOLD, **change})))


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"kind": "sing"}, r"task\.yaml:2: kind: no kind 'sing'; known are rate, "),
        (
            {"settings": {"rubrik": "general"}},
            r"task\.yaml:\d+: settings.*; settings of 'rate' are rubr",
        ),
        ({"gold": {"judgments": ["gone.jsonl"]}}, r"there is no 'gone\.jsonl'"),
        (
            {"qualification": {"items": ["gone.jsonl"], "judgments": ["gold.jsonl"]}},
            r"gone\.jsonl",
        ),
        (
            {"qualification": {"items": ["bare.jsonl"], "judgments": ["gold.jsonl"]}},
            r"qualification.*'c2' has no answers that count as right",
        ),
    ],
)
def test_what_does_not_fit_names_its_line(
    tmp_path: Path, fields: dict[str, Any], problem: str
) -> None:
    gold(tmp_path)
    lines(tmp_path / "bare.jsonl", [BARE])
    with pytest.raises(DataError, match=problem):
        check_task(task_of(tmp_path, **fields))


def test_gold_of_single_turns_is_taken_where_they_are_asked_about(tmp_path: Path) -> None:
    check = {"item": "p1", "judge": "gold", "question": "act_check", "answer": "right"}
    lines(tmp_path / "gold.jsonl", [{**check, "turn": 0}, {**check, "turn": 1, "answer": "wrong"}])
    assert check_task(acts_of(tmp_path)) == ("every item is gold; nothing is left to rate",)
    lines(tmp_path / "gold.jsonl", [{**check, "turn": 9}])
    with pytest.raises(DataError, match="'p1' is not asked act_check@9; it is asked acts, act_ch"):
        check_task(acts_of(tmp_path))


@pytest.mark.parametrize(
    ("rows", "notes"),
    [
        ([GOLD], ()),
        ([{"item": "c1", "judge": "gold", "question": "Q0", "score": 4}], ()),
        (
            [{**GOLD, "item": name} for name in ("c1", "c2", "c3")],
            (
                "every item is gold; nothing is left to rate",
                "1 gold items are not among the task's",
            ),
        ),
    ],
    ids=["gold that fits", "a score counts as an answer", "gold for everything and for others"],
)
def test_only_gold_that_does_not_fit_is_told(
    tmp_path: Path, rows: list[dict[str, Any]], notes: tuple[str, ...]
) -> None:
    assert check_task(task_of(tmp_path, gold=gold(tmp_path, *rows))) == notes


def test_a_short_qualification_is_told(tmp_path: Path) -> None:
    (told,) = check_task(task_of(tmp_path, qualification=qualifying(tmp_path)))
    assert "only 1 items" in told


def test_a_qualification_without_items_is_refused(tmp_path: Path) -> None:
    given = {**qualifying(tmp_path), "items": []}
    task = make_task(tmp_path, "proofread", [TALK], qualification=given)
    with pytest.raises(DataError, match=r"yaml:\d+: qualification.items: it has no items"):
        check_task(task)


@pytest.mark.parametrize(("test", "named"), [("gold", "gold"), ("first", "the qualification")])
def test_an_item_on_which_raters_are_tested_is_no_example(
    tmp_path: Path, test: str, named: str
) -> None:
    shown = [{"item": "c2", "answers": {"Q0": "4"}}, {"item": "c1", "answers": {"Q0": "4"}}]
    tests: dict[str, dict[str, Any]] = {
        "gold": {"gold": gold(tmp_path)},
        "first": {"qualification": qualifying(tmp_path)},
    }
    with pytest.raises(DataError) as found:
        check_task(task_of(tmp_path, examples=shown, **tests[test]))
    lines_of = (tmp_path / "task.yaml").read_text().splitlines()
    line = lines_of.index("- item: c1") + 1
    assert f"task.yaml:{line}: examples" in str(found.value)
    assert f"answers of 'c1', which is an item of {named}; choose" in str(found.value)
    assert check_task(task_of(tmp_path, examples=shown[:1], gold=gold(tmp_path))) == ()


def test_items_without_a_suggestion_are_counted(tmp_path: Path) -> None:
    lines(tmp_path / "judged.jsonl", [{**GOLD, "judge": "m"}])
    task = task_of(tmp_path, suggestions={"judgments": ["judged.jsonl"], "judge": "m"})
    assert check_task(task) == ("1 of 2 items have no suggestion",)


def test_proofreaders_name_a_writers_task(tmp_path: Path) -> None:
    reading = make_task(tmp_path, "proofread", name="reading", settings={"of": "songs"})
    writing = make_task(
        tmp_path, "write", [{"id": "b", "text": "x"}], name="writing", settings={"least": 2}
    )
    with pytest.raises(DataError, match=r"of: no task 'songs' of writers; there are writing"):
        check_task(reading, [reading, writing])
    named = make_task(tmp_path, "proofread", name="reading", settings={"of": "writing"})
    assert check_task(named, [named, writing]) == ()
    second = make_task(tmp_path, "proofread", name="second", settings={"of": "reading"})
    with pytest.raises(DataError, match=r"of: no task 'reading' of writers; there are writing"):
        check_task(second, [second, named, writing])

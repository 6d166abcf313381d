"""A run's folder: answers of several rows, asked again where that can help; old runs go on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from run_folder import open_folder

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE, Judgment, Question, Unscored, Usage
from assize.formats import read_judgments
from assize.judging.judge import JudgeContext, Task
from assize.judging.records import Answer, answers, completeness, line_of, questions_of, task_key
from assize.judging.run import finished
from assize.judging.summary import Summary
from assize.judging.table import open_judge
from assize.models import Models
from assize.running import Journal, keys_in

NAME = "io@scripted:any"


def opened(
    path: Path, *, retry: bool = False, summary: Summary | None = None, name: str = NAME
) -> Journal[Answer]:
    judge = open_judge(name, JudgeContext(Models()))
    return open_folder(path, [judge], command={"votes": 2}, retry=retry, summary=summary)


def fill(path: Path, found: Sequence[Answer], name: str = NAME) -> None:
    async def run() -> None:
        with opened(path, name=name) as folder:
            await folder.append(found, lambda: None)
            await folder.flush()

    asyncio.run(run())


def row(item: str, **more: Any) -> Judgment:
    return Judgment(item, NAME, "preference", **({"answer": "A"} | more))


def unscored(item: str, reason: str) -> Judgment:
    return row(item, answer=None, unscored=Unscored(reason), usage=Usage(1, 1, 0.5))


def items(path: Path) -> list[str]:
    return [
        json.loads(line)["item"] for line in (path / "judgments.jsonl").read_text().splitlines()
    ]


def test_what_a_run_holds_is_read_as_judgments_with_its_questions(tmp_path: Path) -> None:
    fill(tmp_path, [[row("a", order="AB")], [row("a", order="BA")]])
    table = read_judgments([tmp_path])
    assert len(table) == 2
    assert table.questions["preference"] == PREFERENCE
    assert not table.inferred


def test_stored_answers_are_counted(tmp_path: Path) -> None:
    fill(tmp_path, [[row("a", usage=Usage(3, 4, 0.25))], [unscored("b", "refused")]])
    summary = Summary()
    with opened(tmp_path, summary=summary) as folder:
        assert set(folder.stored.done) == {task_key(name, NAME, None, 0) for name in "ab"}
    assert (summary.n, summary.unscored, summary.spent.cost_usd) == (2, 1, 0.75)


def test_a_last_answer_whose_rows_are_not_all_there_is_asked_again(tmp_path: Path) -> None:
    name = "dimensions@scripted:any"
    judge = open_judge(name, JudgeContext(Models()))
    both = [[Judgment(item, name, one.id, answer="A") for one in judge.questions] for item in "ab"]
    fill(tmp_path, both, name)
    path = tmp_path / "judgments.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with opened(tmp_path, name=name) as folder:
        assert set(folder.stored.done) == {task_key("a", name, None, 0)}
    assert set(items(tmp_path)) == {"a"}


def test_a_judge_whose_answers_are_any_number_of_rows_has_its_last_one_anew() -> None:
    judge = open_judge("evaluator@default", JudgeContext(Models()))
    assert judge.rows_vary
    whole = completeness([judge])
    row = {"judge": judge.name, "question": "overall"}
    assert whole([row]) is None
    told = [row | {"call": "9f2c.2"}, {"judge": judge.name, "question": "more", "call": "9f2c.2"}]
    assert whole(told) is True
    assert whole(told[:1]) is False


class Varying:
    """A judge that says as much as it likes."""

    name = "varying"
    kind = "metric"
    takes = (Conversation,)
    questions = (Question("q"),)
    signature = "s"
    rows_vary = True


def answered(judge: Any, item: str, rows: int, call: str | None = None) -> Answer:
    """An answer of so many rows, as a run writes it down."""
    names = [one.id for one in judge.questions] if len(judge.questions) == rows else ["q"] * rows
    found = [
        Judgment(item, judge.name, name, answer="A", turn=turn, call=call)
        for turn, name in enumerate(names)
    ]
    return finished(judge, Task(Conversation(item, ()), None), found)


@pytest.mark.parametrize("vary", [True, False])
@pytest.mark.parametrize("named", [True, False], ids=["calls named by the judge", "by the run"])
def test_an_answer_that_has_lost_any_of_its_rows_anywhere_is_asked_again(
    vary: bool, named: bool, tmp_path: Path
) -> None:
    judge: Any = Varying()
    if not vary:
        judge = open_judge("dimensions@scripted:any", JudgeContext(Models()))
    count = 3 if vary else len(judge.questions)
    found = [answered(judge, item, count, f"a-{item}" if named else None) for item in "abc"]
    lines = [line_of(row) for rows in found for row in rows]
    for lost in range(len(lines)):
        folder = tmp_path / str(lost)
        with open_folder(folder, [judge], command={}):
            pass
        path = folder / "judgments.jsonl"
        path.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
        with open_folder(folder, [judge], command={}) as journal:
            assert len(journal.stored.done) == 2
            assert journal.stored.torn == (lost < 2 * count)  # the last one is cut off
        assert set(items(folder)) == set("abc") - {"abc"[lost // count]}


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("instead", [True, False], ids=["in the place of another", "beside all"])
def test_a_row_that_stands_there_twice_has_its_answer_asked_again(
    rows: int, instead: bool, tmp_path: Path
) -> None:
    judge: Any = Varying()
    first, last = ([line_of(row) for row in answered(judge, item, rows)] for item in "ab")
    with open_folder(tmp_path, [judge], command={}):
        pass
    doubled = [first[0], *(first[:-1] if instead and rows > 1 else first)]
    (tmp_path / "judgments.jsonl").write_bytes(b"".join([*doubled, *last]))
    with open_folder(tmp_path, [judge], command={}) as journal:
        # An only row does not say that it is one: as the last, it is asked again.
        assert (len(journal.stored.done), journal.stored.torn) == (rows > 1, 1)


def test_an_answer_that_stands_there_twice_is_an_error_that_names_the_second(
    tmp_path: Path,
) -> None:
    fill(tmp_path, [[row("a")], [row("b")]])
    path = tmp_path / "judgments.jsonl"
    path.write_bytes(path.read_bytes() + line_of(row("a")) + line_of(row("c")))
    before = path.read_bytes()
    with pytest.raises(DataError, match=r"judgments\.jsonl:3: .*stands above already"):
        opened(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"usage": "free"},
        {"usage": {"cost_usd": "1"}},
        {"usage": {"input_tokens": -1}},
        {"unscored": "why"},
        {"unscored": {"reason": 3}},
        {"item": 3},
        {"question": None},
        {"order": ["AB"]},
        {"repeat": "0"},
        {"answer": {}},
        {"attempts": "1"},
        {"call": 1},
    ],
)
def test_a_line_whose_fields_are_of_another_kind_is_named(wrong: Any, tmp_path: Path) -> None:
    fill(tmp_path, [[row("a")]])
    path = tmp_path / "judgments.jsonl"
    damaged = json.dumps({"item": "b", "judge": NAME, "question": "preference"} | wrong)
    path.write_text(f"{damaged}\n" + path.read_text())
    with pytest.raises(DataError, match=r"judgments\.jsonl:1: no record"):
        opened(tmp_path)


def test_judges_of_one_name_or_with_two_scales_for_one_question_are_refused(
    tmp_path: Path,
) -> None:
    from dataclasses import replace

    judge = open_judge(NAME, JudgeContext(Models()))
    with pytest.raises(ConfigError, match="each once"):
        open_folder(tmp_path, [judge, judge], command={})
    (question,) = judge.questions
    other = replace(judge.method, questions=(replace(question, text="?"),))  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match="two judges ask different questions"):
        questions_of([judge, replace(judge, method=other)])  # type: ignore[type-var]


def test_a_judge_that_offers_no_tie_asks_the_same_question(tmp_path: Path) -> None:
    from dataclasses import replace

    judge = open_judge(NAME, JudgeContext(Models()))
    (question,) = judge.questions
    forced = replace(question, answers=("A", "B"), values=(1.0, -1.0))
    other = replace(judge.method, questions=(forced,))  # type: ignore[attr-defined]
    both = [judge, replace(judge, method=other)]  # type: ignore[type-var]
    assert questions_of(both) == questions_of(reversed(both)) == [question]


def test_a_line_is_what_the_formats_write() -> None:
    from assize.formats import to_json

    rows = [
        row("a", score=float("nan"), unscored=Unscored("nan", "x")),
        row("é", distribution={"A": 0.5}, outside=0.0, details={"k": (1, [2])}, repeat=2),
        row("c", usage=Usage(1, 2, None, True), extra={"more": 1}, explanation="x\n\u2028y"),
    ]
    for one in rows:
        assert json.loads(line_of(one)) == json.loads(json.dumps(to_json(one)))
        assert line_of(one).count(b"\n") == 1


@pytest.mark.parametrize(
    ("reason", "again"),
    [
        *((reason, 1) for reason in ("budget", "timeout", "server", "rate_limit")),
        *((reason, 0) for reason in ("refused", "too_long", "parse", "failed")),
    ],
)
def test_failures_that_time_or_money_can_mend_are_asked_again_and_others_on_request(
    tmp_path: Path, reason: str, again: int
) -> None:
    fill(tmp_path, [[row("a")], [unscored("b", reason)], [row("c")]])
    done = {task_key(name, NAME, None, 0) for name in ("ac" if again else "abc")}
    assert set(keys_in(tmp_path, answers())) == done
    with opened(tmp_path) as folder:
        assert folder.stored.again == again
    with opened(tmp_path, retry=True) as folder:
        assert folder.stored.again == 1 - again
    assert items(tmp_path) == ["a", "c"]

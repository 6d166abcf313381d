"""A run's folder: answers of several rows, asked again where that can help; old runs go on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assize.errors import ConfigError
from assize.formats import read_judgments
from assize.judging.folder import (
    Answer,
    answers,
    completeness,
    line_of,
    open_folder,
    questions_of,
    task_key,
)
from assize.judging.judge import JudgeContext
from assize.judging.summary import Summary
from assize.judging.table import open_judge
from assize.judgment import PREFERENCE, Judgment, Unscored, Usage
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
        assert folder.stored.done == {task_key(name, NAME, None, 0) for name in "ab"}
    assert (summary.n, summary.unscored, summary.cost_usd) == (2, 1, 0.75)


def test_a_last_answer_whose_rows_are_not_all_there_is_asked_again(tmp_path: Path) -> None:
    name = "dimensions@scripted:any"
    judge = open_judge(name, JudgeContext(Models()))
    both = [[Judgment(item, name, one.id, answer="A") for one in judge.questions] for item in "ab"]
    fill(tmp_path, both, name)
    path = tmp_path / "judgments.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with opened(tmp_path, name=name) as folder:
        assert folder.stored.done == {task_key("a", name, None, 0)}
    assert set(items(tmp_path)) == {"a"}


def test_a_judge_whose_answers_are_any_number_of_rows_has_its_last_one_anew() -> None:
    judge = open_judge("evaluator@default", JudgeContext(Models()))
    assert judge.rows_vary
    assert not completeness([judge])([{"judge": judge.name, "question": "overall"}])


@pytest.mark.parametrize("reason", ["budget", "timeout", "server", "rate_limit"])
def test_failures_that_time_or_money_can_mend_are_taken_out_to_be_asked_again(
    tmp_path: Path, reason: str
) -> None:
    fill(tmp_path, [[row("a")], [unscored("b", reason)], [row("c")]])
    assert keys_in(tmp_path, answers()) == {task_key(name, NAME, None, 0) for name in "ac"}
    with opened(tmp_path) as folder:
        assert folder.stored.again == 1
    assert items(tmp_path) == ["a", "c"]


@pytest.mark.parametrize("reason", ["refused", "too_long", "parse", "failed"])
def test_answers_that_would_be_the_same_are_asked_again_only_on_request(
    tmp_path: Path, reason: str
) -> None:
    fill(tmp_path, [[unscored("a", reason)]])
    with opened(tmp_path) as folder:
        assert folder.stored.again == 0
    with opened(tmp_path, retry=True) as folder:
        assert folder.stored.again == 1
    assert items(tmp_path) == []


def test_a_run_of_the_first_format_goes_on_with_what_it_has_spent(tmp_path: Path) -> None:
    judge = open_judge(NAME, JudgeContext(Models()))
    command = {"judges": {NAME: judge.signature}, "votes": 2}
    said = {"command": command, "spent_before": 1.0, "versions": {}, "prompts": {}}
    (tmp_path / "run.json").write_text(json.dumps(said))
    rows = [row("a", usage=Usage(1, 1, 0.25)), unscored("b", "server")]
    (tmp_path / "judgments.jsonl").write_bytes(b"".join(map(line_of, rows)))
    for _ in range(3):
        with opened(tmp_path) as folder:
            assert folder.ledger.balance.spent == pytest.approx(1.75)
            assert folder.stored.done == {task_key("a", NAME, None, 0)}


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


def test_a_line_is_what_the_formats_write() -> None:
    from assize.formats import to_json

    rows = [
        row("a", score=float("nan"), unscored=Unscored("nan", "x")),
        row("é\ud800", distribution={"A": 0.5}, outside=0.0, details={"k": (1, [2])}, repeat=2),
        row("c", usage=Usage(1, 2, None, True), extra={"more": 1}, explanation="x\n\u2028y"),
    ]
    for one in rows:
        assert json.loads(line_of(one)) == json.loads(json.dumps(to_json(one)))
        assert line_of(one).count(b"\n") == 1

"""Asking only what pays: the order, the end, and what a chooser is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chat_server import ChatServer, completion
from command_line import read_refusal, run
from tests.base.loops import in_loop
from tests.rubric.conftest import One

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, ServerError
from assize.base.judgment import Judgment, Question
from assize.formats import read_judgments, write
from assize.formats.writing import write_questions
from assize.judging.judge import Choice, JudgeContext, JudgeSettings, Task
from assize.judging.table import open_judge
from assize.models import Models, Request, Scripted
from assize.rubric import Rubric, load_rubric
from assize.rubric._adaptive import AdaptiveJudge
from assize.rubric._asking import RubricJudge, variant_of


class InTurn:
    """A chooser that asks these questions, where they are open, and notes what it saw."""

    signature = "in-turn"

    def __init__(self, *wanted: str) -> None:
        self.wanted = wanted
        self.saw: list[tuple[set[str], list[str]]] = []

    def next(self, rows: Mapping[str, Judgment], open_: Sequence[Question]) -> Choice | None:
        ids = [question.id for question in open_]
        self.saw.append((set(rows), ids))
        return next((Choice(one, 0.5) for one in self.wanted if one in ids), None)


def ends(place: int) -> Callable[[Any], str]:
    """The first or the last of the answers that are allowed."""
    return lambda request: json.dumps(
        {"answer": request.schema["properties"]["answer"]["enum"][place]}
    )


def judge_of(rubric: Rubric, chooser: InTurn, script: Callable[[Request], str]) -> AdaptiveJudge:
    context = JudgeContext(One(Scripted(script)), JudgeSettings())  # type: ignore[arg-type]
    return AdaptiveJudge(rubric, variant_of("", rubric), "scripted:test", context, chooser=chooser)


def rows_of(judge: AdaptiveJudge, item: Conversation) -> dict[str, Judgment]:
    return {row.question: row for row in asyncio.run(judge.judge(Task(item)))}


def test_only_what_the_chooser_wants_is_asked_and_screening_comes_first(
    small: Rubric, sourced: Conversation, talk: Conversation
) -> None:
    chooser = InTurn("overall")
    judge = judge_of(small, chooser, ends(-1))
    rows = rows_of(judge, sourced)
    assert list(rows) == ["talk", "overall"]
    assert rows["overall"].details == {"step": 2, "gain": 0.5}
    open_ = ["sourced", "length", "overall"]
    assert chooser.saw == [({"talk"}, open_), ({"talk", "overall"}, open_[:2])]
    whole = RubricJudge(judge.rubric, judge.variant, judge.target, judge.context)
    assert judge.name == whole.name
    assert judge.signature != whole.signature
    other = InTurn("sourced", "overall")
    assert rows_of(judge_of(small, other, ends(-1)), talk)["sourced"].answer == "NA"
    assert all("sourced" not in open_ for _, open_ in other.saw)


def test_a_screening_answer_ends_it(small: Rubric, sourced: Conversation) -> None:
    rows = rows_of(judge_of(small, InTurn("overall"), ends(0)), sourced)
    assert [row.answer for row in rows.values()] == ["no", "NA", "NA", "NA"]


def down(request: Request) -> str:
    raise ServerError("down")


def test_a_failed_question_is_not_asked_again_and_nothing_but_failures_raise(
    small: Rubric, talk: Conversation
) -> None:
    def script(request: Request) -> str:
        if "short" in str(request.schema):
            return down(request)
        return ends(-1)(request)

    rows = rows_of(judge_of(small, InTurn("length", "overall"), script), talk)
    assert rows["length"].unscored is not None
    assert rows["overall"].answer == "good"

    with pytest.raises(ServerError):
        rows_of(judge_of(small, InTurn("length"), down), talk)


def informed(body: dict[str, Any]) -> dict[str, Any]:
    """Answers `clarity` by the conversation's number, everything else in the same way always."""
    said = body["messages"][-1]["content"]
    number = int(said.split("number ")[1].split(".")[0])
    clear = "Is the assistant easy to follow?" in said
    answers = body["response_format"]["json_schema"]["schema"]["properties"]["answer"]["enum"]
    mean = number % 4 if clear else (number * 7919) % len(answers)
    mass = np.exp(-np.abs(np.arange(len(answers)) - mean) * 1.0)
    shares = np.log(mass / mass.sum())
    best = answers[int(mass.argmax())]
    tops = [{"token": a, "logprob": float(p)} for a, p in zip(answers, shares, strict=True)]
    pieces = ['{"answer":"', best, '"}']
    logprobs = [
        {"token": piece, "logprob": 0.0, "top_logprobs": tops if piece == best else []}
        for piece in pieces
    ]
    return completion(body, "".join(pieces), logprobs=logprobs)


def test_a_calibrator_chooses_for_a_live_model_and_saves_calls(tmp_path: Path) -> None:
    def talks(name: str, numbers: range) -> Path:
        turns = ((Turn("user", f"Tell me about number {n}."),) for n in numbers)
        made = (
            Conversation(f"{name}{n}", (*said, Turn("assistant", "Here you are.")))
            for n, said in zip(numbers, turns, strict=True)
        )
        write(tmp_path / f"{name}.jsonl", made)
        return tmp_path / f"{name}.jsonl"

    overall = load_rubric("general").question("overall")
    ratings = [
        Judgment(f"old{n}", rater, "overall", answer=str(1 + n % 4 + (rater == "b")), kind="person")
        for n in range(40)
        for rater in "ab"
    ]
    write(tmp_path / "ratings.jsonl", ratings)
    write_questions(tmp_path / "ratings.jsonl", [overall])
    with ChatServer(answer=informed) as server:
        asked = ["rubric", "ask", "-m", "openai:m", "--base-url", server.url]
        run(*asked, talks("old", range(40)), "-o", tmp_path / "whole")
        fit = ["calibrate", "fit", "--answers", tmp_path / "whole", "--target", "overall"]
        run(*fit, "--ratings", tmp_path / "ratings.jsonl", "--out", tmp_path / "cal")
        before = len(server.seen)
        new = talks("new", range(40, 60))
        chosen = ["--adaptive", tmp_path / "cal", "--answered", tmp_path / "whole"]
        run(*asked, new, *chosen, "--least", 0.02, "-o", tmp_path / "some")
        calls = len(server.seen) - before
        assert calls < 20 * 8 / 2  # of eight questions that apply
        prediction = ["calibrate", "predict", tmp_path / "cal", "--answers", tmp_path / "some"]
        run(*prediction, "--raters", "all", "--out", tmp_path / "predicted.jsonl")
        for more, said in (
            (["--variant", "expert"], "reads rubric@openai:m and not rubric/expert@openai:m"),
            (["-r", "information-seeking"], "of which the rubric asks none"),
        ):
            assert said in read_refusal(*asked, new, *chosen, *more, "-o", tmp_path / "x")
        run(*asked, new, *chosen, "--least", 1e6, "-o", tmp_path / "least")
    few = [row for row in read_judgments([tmp_path / "least"]) if row.answer != "NA"]
    assert len(few) == len({row.item for row in few}) == 20  # one question of each, none lost
    rows = read_judgments([tmp_path / "some"])
    steps = {row.item: row.question for row in rows if (row.details or {}).get("step") == 1}
    assert set(steps.values()) == {"clarity"}
    predicted = {
        row.item: row.score
        for row in read_judgments([tmp_path / "predicted.jsonl"])
        if row.judge == "calibration:a"
    }
    truth = [1 + n % 4 for n in range(40, 60)]
    found = [predicted[f"new{n}"] for n in range(40, 60)]
    assert np.corrcoef(truth, np.array(found, dtype=float))[0, 1] > 0.95


def test_the_table_opens_it_with_the_sessions_rubric_and_variant() -> None:
    @in_loop
    async def opened(written: str, **options: Any) -> Any:
        async with Models() as models:
            judge = open_judge(written, JudgeContext(models, options=options))
            return judge.name, [one.id for one in judge.questions if one.extra.get("main")]

    assert opened("rubric@scripted:any") == ("rubric@scripted:any", ["overall"])
    name, main = opened("rubric/newcomer+reasons@scripted:any", rubric="information-seeking")
    assert (name, main) == ("rubric/reasons+newcomer@scripted:any", ["Q0"])
    with pytest.raises(ConfigError, match="io has no variants"):
        opened("io/reasons@scripted:any")

"""The reference judges: answers, failures, probabilities, runs."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, Llama
from tests.reference.judges.asked import ANSWERS, UNREFERENCED, K, ask, judge_of, saying
from with_asking import with_asking

import assize
from assize.base.judgment import Judgment
from assize.judging.asking import Asking
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.table import open_judge
from assize.judging.verbs import judge
from assize.judgments.values import number_of
from assize.models import Models, ModelSettings, Reply, Request
from assize.models.model import Token


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_worth_its_value_in_the_question(name: str) -> None:
    judge = judge_of(name, saying(ANSWERS[name]))
    row = ask(judge)
    (question,) = judge.questions
    assert (row.question, row.answer) == (question.id, str(ANSWERS[name]))
    assert row.score == number_of(replace(row, score=None), question)
    assert row.score == (1.0 if ANSWERS[name] == "yes" else float(ANSWERS[name]))
    assert row.explanation == ("It does." if name.endswith("explained") else None)


@pytest.mark.parametrize("name", ANSWERS)
def test_without_what_it_needs_it_asks_nothing_and_says_why(name: str) -> None:
    def refuses(_: Request) -> str:
        raise AssertionError("nothing is to be asked")

    needed = name not in UNREFERENCED
    for references in ((), (" ",)):
        item = replace(K, references=references)
        row = ask(judge_of(name, refuses if needed else saying(ANSWERS[name])), item)
        assert (row.unscored and row.unscored.reason) == ("no_reference" if needed else None)
        assert (row.usage is None) == needed
    empty: Any = ask(judge_of(name, refuses), replace(K, candidate=" \n"))
    assert empty.unscored.reason == "empty"


def likely(request: Request) -> Reply:
    """Answers 4 with 0.6, 5 with 0.3."""
    top = (("4", math.log(0.6)), ("5", math.log(0.3)), ("x", math.log(0.1)))
    tokens = (Token('{"answer": ', 0.0), Token("4", top[0][1], top), Token("}", 0.0))
    return Reply('{"answer": 4}', tokens=tokens)


def test_the_score_is_what_the_model_says_whatever_its_probabilities() -> None:
    capabilities = frozenset({"logprobs"})
    said = ask(judge_of("equivalence", likely, capabilities=capabilities))
    assert (said.answer, said.score) == ("4", 4.0)
    assert said.outside == pytest.approx(0.1)


def test_where_no_probabilities_come_samples_make_the_distribution() -> None:
    def script(request: Request) -> str:
        return json.dumps({"answer": "yes" if request.sample % 2 else "no"})

    judge = judge_of("equivalent", script)
    row = ask(replace(judge, settings=JudgeSettings(samples=4)))
    assert row.distribution == {"yes": 0.5, "no": 0.5}


def asked(url: str, *names: str) -> Sequence[Judgment]:
    async def go() -> Sequence[Judgment]:
        async with Models(ModelSettings(base_url=url)) as models:
            context = JudgeContext(models, JudgeSettings())
            judges = [open_judge(f"{name}@openai:tiny", context) for name in names]
            return [row for one in judges for row in await one.judge(Task(K))]

    return asyncio.run(go())


def test_a_real_model_follows_the_schemas_and_gives_probabilities(tiny_llama: Path) -> None:
    names = ("equivalent", "equivalence-explained", "guidelines-style")
    with ChatServer(Llama(tiny_llama)) as server:
        rows = asked(server.url, *names)
    for row in rows:
        assert (row.unscored, row.details) == (None, {"method": "logprobs"})
        assert row.outside is not None
        assert sum((row.distribution or {}).values()) + row.outside <= 1 + 1e-9
    shares = [set(row.distribution or ()) for row in rows]
    assert shares == [{"yes", "no"}, set("12345"), set("135")]


def test_a_run_resumes_and_is_priced_beforehand(tmp_path: Path) -> None:
    items = [replace(K, id=f"k{n}", candidate=f"Bus {n}.") for n in range(4)]
    items.append(replace(K, id="bare", references=()))
    judges = ["equivalent@openai:gpt-4o", "guidelines-content@openai:gpt-4o"]
    with ChatServer() as server:
        how: Any = {"base_url": server.url, "quiet": True}
        before = judge.plan(items, judges, asking=Asking(base_url=server.url)).estimate()
        assert before.by_model["openai:gpt-4o"].calls == 8  # not those without a reference
        assert (before.by_model["openai:gpt-4o"].cost_usd or 0) > 0
        assert not server.seen
        assize.judge(items[:2], judges, out=tmp_path / "first", **with_asking(**how))
        table = assize.judge(items, judges, out=tmp_path / "run", **with_asking(**how))
        assert len(server.seen) == 8
        again = assize.judge(items, judges, out=tmp_path / "run", **with_asking(**how))
        assert len(server.seen) == 8
    assert len(table) == len(again) == 10
    reasons = {row.unscored.reason for row in again if row.unscored is not None}
    assert reasons == {"no_reference"}

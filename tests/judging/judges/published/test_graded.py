"""What evaluators that write a verdict share: runs, dry runs, prompts, signatures."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from published_asked import PAIR, saying
from run_work import judge_session as judge
from tests.judging.conftest import served

from assize.formats import read, write
from assize.judging.aspects import ASPECTS
from assize.judging.dry_run import estimate, shown_prompt
from assize.judging.judge import JudgeContext, Task
from assize.judging.judges.published.graded import (
    GradedPairs,
)
from assize.judging.session import Session
from assize.judging.table import open_judge
from assize.models import Models

NAMES = ("prometheus", "prometheus2", "prometheus2-pairwise", "autoj", "autoj-pairwise")


def verdict(said: str) -> str:
    if "final decision" in said:
        return "So, the final decision is Response 1"
    if "[[" in said:
        return "Fine. Rating: [[6]]"
    return "Fine. [RESULT] " + ("A" if "A or B" in said else "4")


@pytest.mark.parametrize("name", NAMES)
def test_a_run_resumes_and_a_dry_run_counts_its_calls(name: str, tmp_path: Path) -> None:
    file, out = tmp_path / "pairs.jsonl", tmp_path / "run"
    write(file, [PAIR])
    with saying(verdict) as server:
        prices = tmp_path / "prices.toml"
        prices.write_text('"openai:evaluator" = { input = 1.0, output = 1.0 }\n')
        session = served(server, file, out, f"{name}@openai:evaluator", prices=prices)
        found = asyncio.run(estimate(session)).by_model["openai:evaluator"]
        assert (found.calls, found.cached) == (2, 0)  # both sides, or both orders
        assert found.cost_usd is not None
        assert found.cost_usd > 0
        assert not server.seen
        outcome = judge(session)
        assert len(server.seen) == 2
        assert outcome.summary.unscored == 0
        judge(session)
        assert len(server.seen) == 2  # nothing is asked again
        again = asyncio.run(estimate(replace(session, out=tmp_path / "other")))
        assert again.by_model["openai:evaluator"].calls == 0  # the cache holds it


@pytest.mark.parametrize("name", NAMES)
def test_the_exact_prompt_can_be_shown(name: str, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    write(file, [PAIR])
    session = Session(read([str(file)]), [], tmp_path / "run")
    shown = asyncio.run(shown_prompt(session, name))
    assert shown.schema is None
    assert "An hour by train." in str(shown.messages)


def test_a_comparison_by_all_criteria_is_one_judge_with_a_question_each() -> None:
    made = open_judge("prometheus2-pairwise/all@scripted:any", JudgeContext(Models()))
    assert isinstance(made, GradedPairs)
    assert [one.id for one in made.questions] == [*ASPECTS, "Overall"]
    asks, _ = made.first_call(Task(PAIR), "Safety")
    assert asks.questions[0].id == "Safety"
    alone = open_judge("prometheus2-pairwise/Safety@scripted:any", JudgeContext(Models()))
    assert alone.signature != made.signature
    assert str(made.prompt_version).startswith("prometheus2-pairwise 1 ")

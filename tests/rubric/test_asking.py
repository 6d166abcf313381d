"""`rubric@model`: independent questions, distributions three ways, NA, skips, variants."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, mock
from tests.base.loops import in_loop
from tests.rubric.conftest import One, noting

from assize.base.conversation import Conversation
from assize.base.errors import AuthenticationError, ConfigError, ServerError
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.table import open_judge
from assize.models import Models, ModelSettings, Request, Scripted
from assize.rubric import Rubric
from assize.rubric._asking import RubricJudge, variant_of


def judge_of(
    rubric: Rubric, script: Callable[[Request], Any], variant: str = "", **settings: Any
) -> RubricJudge:
    capabilities = settings.pop("capabilities", frozenset())
    model: Any = One(Scripted(script, capabilities=capabilities))
    context = JudgeContext(model, JudgeSettings(**settings))
    return RubricJudge(rubric, variant_of(variant, rubric), "scripted:test", context)


def ask(judge: RubricJudge, item: Conversation) -> dict[str, Any]:
    return {row.question: row for row in asyncio.run(judge.judge(Task(item)))}


def asked_of(request: Any) -> str:
    """The question that a request asks, by its allowed answers."""
    answers = request.schema["properties"]["answer"]["enum"]
    return {"no": "talk", "none": "sourced", "short": "length", "bad": "overall"}[answers[0]]


def always(**answers: str) -> Callable[[Request], Any]:
    chosen = {"talk": "yes", "sourced": "some", "length": "right", "overall": "good"} | answers
    return lambda request: json.dumps({"answer": chosen[asked_of(request)]})


def failing(question: str, failure: Exception | str) -> Callable[[Request], Any]:
    """Answers all but one question, or all with `every`, which fails or is no answer."""

    def script(request: Request) -> Any:
        if question not in ("every", asked_of(request)):
            return always()(request)
        if isinstance(failure, str):
            return failure
        raise failure

    return script


def test_every_question_is_asked_by_itself_once(small: Rubric, sourced: Conversation) -> None:
    said: list[Request] = []
    rows = ask(judge_of(small, noting(said, always())), sourced)
    assert [row.answer for row in rows.values()] == ["yes", "some", "right", "good"]
    assert sorted(map(asked_of, said)) == ["length", "overall", "sourced", "talk"]
    for request in said:
        texts = [small.question(one).text for one in rows if one != asked_of(request)]
        assert not any(text in request.messages[-1].text for text in texts)
    assert len({row.call for row in rows.values()}) == 4
    assert {request.call_id.step for request in said if request.call_id} == set(rows)


def test_what_does_not_apply_is_na_and_not_asked(small: Rubric, talk: Conversation) -> None:
    row = ask(judge_of(small, always()), talk)["sourced"]
    assert (row.answer, row.distribution, row.unscored) == ("NA", None, None)
    assert row.details == {"applies": "has_references"}


def test_a_screening_answer_ends_the_form_and_saves_the_calls(
    small: Rubric, talk: Conversation
) -> None:
    said: list[Request] = []
    rows = ask(judge_of(small, noting(said, always(talk="no"))), talk)
    assert [asked_of(one) for one in said] == ["talk"]
    assert rows["overall"].answer == "NA"
    assert rows["overall"].details == {"skipped": "talk=no"}


def test_one_failure_leaves_the_other_answers_standing_and_skips_nothing(
    small: Rubric, talk: Conversation
) -> None:
    rows = ask(judge_of(small, failing("length", ServerError("down"))), talk)
    assert rows["overall"].answer == "good"
    assert (rows["length"].unscored.reason, rows["length"].unscored.message) == ("server", "down")
    screened = ask(judge_of(small, failing("talk", "??"), tries=1), talk)
    assert screened["talk"].unscored is not None
    assert screened["overall"].answer == "good"


@pytest.mark.parametrize("error", [ServerError("down"), AuthenticationError("no")])
def test_where_every_call_fails_the_judge_fails(
    small: Rubric, talk: Conversation, error: Exception
) -> None:
    with pytest.raises(type(error)):
        ask(judge_of(small, failing("every", error)), talk)


def test_reasons_are_written_before_the_answer(small: Rubric, talk: Conversation) -> None:
    def script(request: Any) -> str:
        assert list(request.schema["properties"]) == ["explanation", "answer"]
        return json.dumps({"explanation": "because"} | json.loads(always()(request)))

    judge = judge_of(small, script, "reasons")
    assert judge.name == "rubric/reasons@scripted:test"
    assert ask(judge, talk)["overall"].explanation == "because"


def test_few_shot_shows_the_examples_that_answer_the_question(small: Rubric) -> None:
    def shots(variant: str, question: str) -> int:
        return len(judge_of(small, always(), variant).prompted(question).method.shots)

    assert shots("", "length") == shots("fewshot", "sourced") == 0
    assert shots("fewshot", "length") == shots("fewshot+reasons", "overall") == 1
    assert shots("fewshot+reasons", "length") == 0  # it gives no reason for that answer


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("reasons+fewshot", "fewshot+reasons"),
        ("nurse+reasons+fewshot", "fewshot+reasons+nurse"),
        ("fewshot+plain+nurse", "fewshot+nurse"),
    ],
)
def test_the_order_of_a_variants_parts_makes_no_other_judge(
    small: Rubric, written: str, name: str
) -> None:
    one, other = (judge_of(small, always(), each) for each in (written, name))
    assert one.name == other.name == f"rubric/{name}@scripted:test"
    assert one.signature == other.signature


def test_a_persona_and_the_rubrics_words_reach_the_prompt(
    small: Rubric, sourced: Conversation
) -> None:
    judge = judge_of(small, always(), "nurse+fewshot")
    messages = judge.prompted("length").messages(sourced, "MARK")
    assert [one.role for one in messages] == ["system", "user", "assistant", "user"]
    system, _, answer, asked = (one.text for one in messages)
    assert re.search(r"You are a nurse\.[\s\S]*Read it all\.", system)
    assert json.loads(answer) == {"answer": "right"}
    for said in ("About sources.", '- "long": too long', "One hour, every hour."):
        assert said in asked
    assert asked.index("An hour [1].") < asked.index("How long is it?")


def test_text_that_looks_like_a_template_is_shown_as_it_stands(
    small: Rubric, talk: Conversation
) -> None:
    turn = replace(talk.turns[1], text="{{ 7 * 7 }} {% block user %}")
    shown = judge_of(small, always()).prompted().messages(replace(talk, turns=(turn,)), "M")
    assert "{{ 7 * 7 }} {% block user %}" in shown[1].text


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("doctor", "plain, reasons, fewshot, nurse"),
        ("nurse+nurse", "one persona at most"),
        ("reasons+reasons", "each part once"),
    ],
)
def test_a_variant_that_is_not_there_is_refused(small: Rubric, variant: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace("+", r"\+")):
        variant_of(variant, small)
    with pytest.raises(ConfigError, match="no examples"):
        variant_of("fewshot", replace(small, examples=()))


def test_the_signature_follows_whatever_could_change_a_number(small: Rubric) -> None:
    def signed(rubric: Rubric = small, variant: str = "", **settings: Any) -> str:
        return judge_of(rubric, always(), variant, **settings).signature

    section = small.sections[1]
    reworded = replace(section, questions=(replace(section.questions[0], text="New?"),))
    others = [
        signed(variant="reasons"),
        signed(variant="fewshot"),
        signed(variant="nurse"),
        signed(samples=3),
        signed(replace(small, instructions="Other.")),
        signed(replace(small, skips={})),
        signed(replace(small, sections=(small.sections[0], reworded), skips={}), variant=""),
    ]
    assert signed() == signed(replace(small, about="other words about it"))
    assert len({signed(), *others}) == len(others) + 1


@in_loop
async def live(model: str, url: str | None, item: Conversation, **settings: Any) -> Sequence[Any]:
    async with Models(ModelSettings(base_url=url)) as models:
        options = {"rubric": "information-seeking"}
        context = JudgeContext(models, JudgeSettings(**settings), options=options)
        return await open_judge(f"rubric@{model}", context).judge(Task(item))


def test_a_server_with_log_probabilities_gives_distributions_in_one_call_each(
    sourced: Conversation,
) -> None:
    with ChatServer() as server:
        rows = live("openai:m", server.url, sourced, samples=10)
        assert len(server.seen) == 9
    for row in rows:
        assert row.distribution[row.answer] == pytest.approx(2 / 3)
        assert row.outside == pytest.approx(1 / 12)
        assert row.details == {"method": "logprobs"}


def test_a_server_without_them_is_sampled(sourced: Conversation) -> None:
    def silent(body: dict[str, Any]) -> dict[str, Any]:
        said = mock(body)
        said["choices"][0]["logprobs"] = None
        return said

    with ChatServer(answer=silent) as server:
        rows = live("openai:m", server.url, sourced, samples=4)
        assert len(server.seen) == 9 * (1 + 4)
    for row in rows:
        assert sum(row.distribution.values()) == pytest.approx(1)
        assert set(row.distribution.values()) <= {0, 0.25, 0.5, 0.75, 1}
        assert row.details == {"method": "samples", "samples": 4}


def test_a_model_in_this_process_tells_log_probabilities(
    sourced: Conversation, tiny_llama: Path
) -> None:
    rows = live(f"hf:{tiny_llama}", None, sourced)
    for row in rows:
        assert row.details == {"method": "logprobs"}
        assert row.answer in row.distribution

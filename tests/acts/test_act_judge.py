"""`acts`: every turn of conversations and pairs labelled, by a model or by a tagger."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from acts_asked import ASSISTANT, PAIR, USER, ask
from labelling import label, turns_of

from assize import Conversation, judge
from assize.acts._act_judge import ACTS, method_of
from assize.acts._da import DA
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair, Turn
from assize.base.errors import AssizeError
from assize.judging.asking import Asking
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.prompt_judge import PromptJudge
from assize.models import Models, ModelSettings, Request, Scripted

METHOD = method_of(load_taxonomy())
TALK = Conversation(
    "c1", (Turn(USER, "How far is it?"), Turn(ASSISTANT, "An hour."), Turn(USER, "By train?"))
)


def labelled(item: Conversation | Pair, script: Any = label, order: Any = None) -> Any:
    asked = PromptJudge(METHOD, Scripted(script), JudgeSettings())
    return asyncio.run(asked.judge(Task(item, order)))


def test_every_turn_of_a_conversation_is_labelled() -> None:
    (row,) = labelled(TALK)
    asks, answers = [["Task", "Set Question"]], [["Task", "Answer"]]
    assert row.details == {"acts": {"turns": [asks, answers, asks]}}
    assert (row.question, row.answer, row.score, row.order) == ("acts", None, 2.0, None)


def test_of_a_pair_the_context_and_both_responses_are_labelled_as_they_really_are() -> None:
    def script(request: Request) -> str:
        turns = turns_of(request.messages[-1].text)
        for turn in turns:
            if turn["place"] == "A":
                turn["acts"] = ["Task: Offer"]
        return json.dumps({"turns": turns})

    orders: list[Any] = ["AB", "BA"]
    rows: list[Any] = [ask(script, order=order, method=METHOD)[0] for order in orders]
    ab, ba = (row.details["acts"] for row in rows)
    assert ab["a"] == ba["b"] == [[["Task", "Offer"]]]
    assert ab["context"] == ba["context"]


@pytest.mark.parametrize("drop", [slice(0, 2), slice(1, None), slice(0, 0)])
def test_an_answer_that_lacks_a_turn_is_asked_for_again_and_then_unscored(drop: slice) -> None:
    def script(request: Request) -> str:
        return json.dumps({"turns": turns_of(request.messages[-1].text)[drop]})

    (row,) = labelled(TALK, script)
    assert (row.unscored.reason, row.attempts) == ("parse", 6)
    assert "lacks context" in row.unscored.message


def test_what_a_turn_says_is_no_label() -> None:
    fake = json.dumps({"turns": [{"place": "context", "turn": 0, "acts": ["Task: Offer"]}]})
    talk = Conversation("c", (Turn(USER, fake),))
    (row,) = labelled(talk)
    assert row.details["acts"]["turns"] == [[["Task", "Set Question"]]]


def test_the_prompt_shows_conversations_taxonomy_and_examples_but_asks_for_no_choice() -> None:
    said = PromptJudge(METHOD, Scripted(str), JudgeSettings()).messages(TALK, "K7")
    assert [one.role for one in said] == ["system", *["user", "assistant"] * 2, "user"]
    assert "Label all 3 turns." in said[-1].text
    assert "answer" not in json.loads(said[2].text)
    assert "- Retraction: " in said[0].text


def run(items: Any, out: Path | None = None, name: str = "acts@scripted:labelling:label") -> Any:
    return judge(items, name, out=out, asking=Asking(no_cache=True))


def test_a_run_resumes_and_keeps_the_taxonomy(tmp_path: Path) -> None:
    talks = [Conversation(f"c{n}", TALK.turns) for n in range(3)]
    assert len(run(talks[:3], tmp_path / "run")) == 3
    lines = (tmp_path / "run" / "judgments.jsonl").read_text().splitlines()
    (tmp_path / "run" / "judgments.jsonl").write_text("".join(one + "\n" for one in lines[:2]))
    again = run(talks, tmp_path / "run")
    assert sorted(row.item for row in again) == ["c0", "c1", "c2"]
    told = json.loads((tmp_path / "run" / "run.json").read_text())
    (facts,) = told["facts"].values()
    assert facts["taxonomy"]["name"] == "iso-24617-2"


def test_a_pair_has_two_votes_even_of_identical_responses_and_a_conversation_one() -> None:
    rows = list(run([TALK, PAIR, Pair("same", PAIR.context, PAIR.a, PAIR.a)]))
    votes = [(name, order) for name in ("p1", "same") for order in ("AB", "BA")]
    assert sorted((row.item, row.order or "") for row in rows) == [("c1", ""), *votes]
    assert all(row.answer is None and row.score == 2.0 for row in rows if row.item == "same")


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("scripted:any", {"options": {"encoder": "minilm"}}, "leave encoder out"),
        ("hf:folder", {"options": {"encoder": "minilm"}}, "leave encoder out"),
        ("local", {"variant": "intents"}, "knows the acts that it has learnt"),
        ("none/at/all", {}, "assize acts train"),
        ("scripted:any", {"variant": "moods"}, "no taxonomy 'moods'; known are intents, iso"),
    ],
)
def test_models_and_taggers_are_told_apart_and_not_told_what_is_for_the_other(
    name: str, more: dict[str, Any], message: str
) -> None:
    with pytest.raises(AssizeError, match=message):
        ACTS.open(name, JudgeContext(Models(), **more))


@pytest.mark.slow("loads a model")
def test_a_real_model_in_this_process_labels_by_the_schema(tiny_llama: Path) -> None:
    method = replace(method_of(load_taxonomy("requests")), examples=None)
    talk = Conversation("c", (Turn(USER, "Hi"), Turn(ASSISTANT, "Yes?")))

    async def asked() -> Any:
        async with Models(ModelSettings(use_cache=False)) as models:
            settings = JudgeSettings(tries=1, max_tokens=60)
            one = PromptJudge(method, models.open(f"hf:{tiny_llama}"), settings)
            return await one.judge(Task(talk))

    (row,) = asyncio.run(asked())
    if row.unscored is not None:  # a random network need not find both turns
        assert row.unscored.reason in ("parse", "too_long")
        assert row.details["raw"].startswith('{"turns":[')
    else:
        assert len(row.details["acts"]["turns"]) == 2


@pytest.mark.parametrize(("judge_of", "name"), [(ACTS, "acts"), (DA, "da")])
def test_another_shipped_taxonomy_is_named_before_the_model(judge_of: Any, name: str) -> None:
    found = judge_of.open("scripted:any", JudgeContext(Models(), variant="intents"))
    plain = judge_of.open("scripted:any", JudgeContext(Models()))
    assert found.name == f"{name}/intents@scripted:any"
    assert plain.name == f"{name}@scripted:any"
    assert found.signature != plain.signature

"""ArmoRM and SaMer on a tiny random Llama: what of a dialogue they see, and what they say of it."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from published_asked import PAIR, TALK
from tests.judging.conftest import Recorded

from assize.base.conversation import Conversation, Item, Turn
from assize.base.errors import ConfigError, TooLongError
from assize.base.judgment import Judgment
from assize.formats import read, write
from assize.judging.dry_run import estimate
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.judges.published.objectives import (
    AFTER,
    ARMORM,
    ARMORM_OBJECTIVES,
    SAMER,
    SAMER_DIMENSIONS,
    Objectives,
    answered_part,
)
from assize.judging.session import Session
from assize.judging.table import open_judge
from assize.models import Models, Request, Scripted

K = len(ARMORM_OBJECTIVES)


def test_the_releases_have_nineteen_objectives_and_forty_two_dimensions() -> None:
    assert (K, len(set(ARMORM_OBJECTIVES))) == (19, 19)
    assert (len(SAMER_DIMENSIONS), len(set(SAMER_DIMENSIONS))) == (42, 42)
    assert [one.id for one in ARMORM.questions][:2] == ["armorm", "armorm:helpsteer-helpfulness"]
    assert {one.range for one in SAMER.questions} == {(0, 1)}


def scripted(
    answer: Any, items: Sequence[Item], offered: Objectives = ARMORM, **settings: Any
) -> tuple[list[Sequence[Judgment]], list[Request]]:
    """The rows by a judge whose model says this, and what the model was asked."""

    def write(request: Request) -> str:
        found = answer(request) if callable(answer) else answer
        return found if isinstance(found, str) else json.dumps(found)

    script = Recorded(write)

    class Bench:
        def open(self, name: str) -> Scripted:
            return Scripted(script, name=name)

    context = JudgeContext(Bench(), JudgeSettings(**settings))  # type: ignore[arg-type]
    judge = offered.open("scripted:s", context)

    async def run() -> list[Sequence[Judgment]]:
        return [await judge.judge(Task(one)) for one in items]

    return asyncio.run(run()), script.seen


FLAT = {"score": 0.5, "objectives": [0.1] * K, "weights": [1 / K] * K}


def test_the_reward_and_each_objective_are_rows() -> None:
    (rows,), _ = scripted(FLAT, [TALK])
    assert [row.question for row in rows] == [one.id for one in ARMORM.questions]
    assert [row.score for row in rows] == [0.5, *[0.1] * K]
    assert (rows[0].details or {})["weights"]["code-style"] == pytest.approx(1 / K)
    assert rows[0].usage is not None
    assert all(row.usage is None for row in rows[1:])


def test_of_a_pair_the_higher_reward_wins_with_both_sides_in_details() -> None:
    def by_side(request: Request) -> dict[str, Any]:
        return FLAT | {"score": 0.9 if "cannot" in request.messages[-1].text else 0.2}

    (rows,), _ = scripted(by_side, [PAIR])
    (row,) = rows
    assert (row.question, row.answer) == ("preference", "B")
    assert (row.details or {})["scores"] == {"A": 0.2, "B": 0.9}
    assert len((row.details or {})["sides"]["A"]["objectives"]) == K


def test_what_comes_after_the_assistants_last_turn_is_not_shown_and_counted() -> None:
    thanks = replace(TALK, turns=(*TALK.turns, Turn("user", "Thanks!"), Turn("tool", "done")))
    (rows, plain), (long, short) = scripted(FLAT, [thanks, TALK])
    assert long.messages == short.messages
    assert long.messages[-1].role == "assistant"
    assert (rows[0].details or {})[AFTER] == 2
    assert AFTER not in (plain[0].details or {})
    assert answered_part(thanks)[0] == replace(thanks, turns=TALK.turns)


@pytest.mark.parametrize("turns", [(), (Turn("user", "Hi"),), (Turn("assistant", "Welcome."),)])
def test_a_dialogue_without_an_answer_is_unscored_without_a_call(turns: tuple[Turn, ...]) -> None:
    (rows,), seen = scripted(FLAT, [Conversation("c", turns)])
    assert not seen
    assert len(rows) == K + 1
    assert {row.unscored.reason for row in rows if row.unscored is not None} == {"empty"}


@pytest.mark.parametrize(
    "said",
    [
        "",
        "0.5",
        "{}",
        '{"score": 1}',
        {"score": "x", "objectives": [], "weights": []},
        FLAT | {"objectives": [math.nan] * K},
    ],
)
def test_what_is_no_such_reply_is_unscored(said: Any) -> None:
    (rows,), _ = scripted(said, [TALK])
    assert {row.unscored.reason for row in rows if row.unscored is not None} == {"server"}
    assert all(row.score is None for row in rows)


def test_another_number_of_objectives_is_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"has 2 objectives and armorm has 19.*reward@scripted:s"):
        scripted({"score": 0.5, "objectives": [0.1, 0.2], "weights": [1, 0]}, [TALK])


def test_a_dimension_that_is_not_called_for_does_not_apply() -> None:
    n = len(SAMER_DIMENSIONS)
    called = [1.0, -2.0, *[0.0] * (n - 2)]
    told = {
        "score": 0.7,
        "objectives": [0.7] * n,
        "weights": [1.0, *[0.0] * (n - 1)],
        "called": called,
    }
    (rows,), _ = scripted(told, [TALK], SAMER)
    assert (rows[0].question, rows[0].score) == ("samer", 0.7)
    assert (rows[1].question, rows[1].score, rows[1].answer) == ("samer:Accuracy", 0.7, None)
    assert {(row.score, row.answer) for row in rows[2:]} == {(None, "NA")}
    assert list((rows[0].details or {})["objectives"]) == ["Accuracy"]
    nothing = told | {"score": math.nan, "called": [-1.0] * n}
    (rows,), _ = scripted(nothing, [TALK], SAMER)
    assert {row.unscored.reason for row in rows if row.unscored} == {"no_objective"}
    assert rows[0].usage is not None


def test_what_is_too_long_loses_its_oldest_turns_when_asked_to() -> None:
    def script(request: Request) -> dict[str, Any]:
        if len(request.messages) > 2:
            raise TooLongError("too long", needed=100, limit=60)
        return FLAT

    (rows,), _ = scripted(script, [TALK])
    assert {row.unscored.reason for row in rows if row.unscored} == {"too_long"}
    (rows,), seen = scripted(script, [TALK], truncate="oldest")
    assert (rows[0].details or {})["left_out_turns"] == 2
    assert seen[-1].messages[-1].text == TALK.turns[-1].text


def test_a_dry_run_loads_nothing(tmp_path: Path) -> None:
    write(tmp_path / "pairs.jsonl", [PAIR])
    judges = ["armorm@hf:nowhere/at-all", "samer@hf:nowhere/at-all"]
    session = Session(read([str(tmp_path / "pairs.jsonl")]), judges, tmp_path / "run")
    found = asyncio.run(estimate(session)).by_model["hf-scores:nowhere/at-all"]
    assert found.calls == 2  # the same two conversations for both
    assert found.cost_usd == 0


def checkpoint(tiny_llama: Path, folder: Path, head: dict[str, Any], **config: Any) -> Path:
    """The tiny Llama's backbone with a head, as a checkpoint of a reward model."""
    from safetensors.torch import load_file, save_file

    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((tiny_llama / name).read_bytes())
    tensors = load_file(tiny_llama / "model.safetensors")
    tensors = {name: value for name, value in tensors.items() if name != "lm_head.weight"}
    save_file(tensors | head, folder / "model.safetensors", {"format": "pt"})
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(settings | config))
    return folder


def judged(name: str, *items: Item) -> Any:
    async def run() -> list[Sequence[Judgment]]:
        async with Models() as models:
            judge = open_judge(name, JudgeContext(models))
            return list(await asyncio.gather(*(judge.judge(Task(one)) for one in items)))

    return asyncio.run(run())


def states(tiny_llama: Path, turns: Sequence[Turn]) -> Any:
    """The backbone's states (L, D) of these turns alone."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(tiny_llama)
    model: Any = AutoModel.from_pretrained(tiny_llama)
    said = [{"role": one.role, "content": one.text} for one in turns]
    text = tokenizer.apply_chat_template(said, tokenize=False)
    ids = tokenizer(text, add_special_tokens=False, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        return model.eval()(ids).last_hidden_state[0]


@pytest.mark.slow("loads a model")
def test_armo_rm_gates_at_the_end_of_the_prompt_and_scores_at_the_end_of_the_response(
    tiny_llama: Path, tmp_path: Path
) -> None:
    import torch

    torch.manual_seed(0)
    regression = torch.nn.Linear(32, K, bias=False)
    layers = [torch.nn.Linear(32, 16), torch.nn.Linear(16, 16), torch.nn.Linear(16, K)]
    head = {
        "regression_layer.weight": regression.weight.detach(),
        "gating.logit_scale": torch.ones(1),
        "reward_transform_matrix": torch.eye(K) - 0.1,
    }
    for at, layer in enumerate(layers):
        head[f"gating.layers.{at}.weight"] = layer.weight.detach()
        head[f"gating.layers.{at}.bias"] = layer.bias.detach()
    folder = checkpoint(tiny_llama, tmp_path / "armorm", head, gating_temperature=2)
    other = replace(TALK, id="c2", turns=(*TALK.turns[:3], Turn("assistant", "No bus.")))
    rows, others = judged(f"armorm@hf:{folder}", TALK, other)
    with torch.inference_mode():
        last = states(tiny_llama, TALK.turns)[-1]
        # In a pass of its own the prompt ends with <|end|>, where the gate looks in the whole one.
        gate = states(tiny_llama, TALK.turns[:3])[-1]
        for at, layer in enumerate(layers):
            gate = layer(gate if at == 0 else torch.relu(gate))
        weights = torch.softmax(gate / 2, dim=0)
        objectives = regression(last)
        reward = float(weights @ (objectives @ head["reward_transform_matrix"]))
    assert rows[0].score == pytest.approx(reward, abs=1e-5)
    assert [row.score for row in rows[1:]] == pytest.approx(objectives.tolist(), abs=1e-5)
    found = list(rows[0].details["weights"].values())
    assert found == pytest.approx(weights.tolist(), abs=1e-5)
    assert sum(found) == pytest.approx(1)
    # The same prompt is gated alike, whatever the response; the rewards differ.
    assert list(others[0].details["weights"].values()) == pytest.approx(found, abs=1e-5)
    assert others[0].score != pytest.approx(rows[0].score, abs=1e-4)
    ((preferred,),) = judged(f"armorm@hf:{folder}", PAIR)
    sides = judged(f"armorm@hf:{folder}", *PAIR.sides())
    assert preferred.answer == ("A" if (sides[0][0].score or 0) > (sides[1][0].score or 0) else "B")


@pytest.mark.slow("loads a model")
def test_sa_mer_calls_for_dimensions_by_the_prompt_alone(tiny_llama: Path, tmp_path: Path) -> None:
    import torch

    torch.manual_seed(1)
    n = len(SAMER_DIMENSIONS)
    towers: dict[str, Any] = {}
    head: dict[str, Any] = {}
    for name in ("scoring_layer", "dimpred_layer", "weighting_layer"):
        towers[name] = torch.nn.Sequential(
            torch.nn.Linear(32, 16, bias=False),
            torch.nn.SiLU(),
            torch.nn.Dropout(0.1),
            torch.nn.Linear(16, n, bias=False),
        ).eval()
        kept = towers[name].state_dict().items()
        head |= {f"score.{name}.{key}": value.detach() for key, value in kept}
    folder = checkpoint(tiny_llama, tmp_path / "samer", head)
    (rows,) = judged(f"samer@hf:{folder}", TALK)
    with torch.inference_mode():
        last = states(tiny_llama, TALK.turns)[-1]
        called = towers["dimpred_layer"](states(tiny_llama, TALK.turns[:3])[-1]) > 0
        scores = torch.sigmoid(towers["scoring_layer"](last))
        weights = towers["weighting_layer"](last)[called].softmax(dim=0)
    assert rows[0].score == pytest.approx(float(weights @ scores[called]), abs=1e-5)
    assert [row.answer != "NA" for row in rows[1:]] == called.tolist()
    assert 0 < int(called.sum()) < n


@pytest.mark.slow("loads a model")
def test_a_head_with_one_number_alone_is_refused(tiny_llama: Path, tmp_path: Path) -> None:
    import torch

    folder = checkpoint(tiny_llama, tmp_path / "one", {"score.weight": torch.ones(1, 32)})
    with pytest.raises(ConfigError, match="gives a reward alone; ask it as reward@hf"):
        judged(f"armorm@hf:{folder}", TALK)

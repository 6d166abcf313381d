"""The in-process provider against plain transformers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.base.loops import in_loop

from assize.models import Reply, Request, messages
from assize.models.hf import HFModel, open_hf

pytestmark = pytest.mark.slow("loads a model")

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["A", "B", "tie"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
ASK = Request(messages(("user", "A or B?")), max_tokens=8, top_logprobs=4)


@pytest.fixture(scope="module")
def model(tiny_llama: Path) -> HFModel:
    return open_hf(str(tiny_llama))


@in_loop
async def ask(model: HFModel, *requests: Request) -> list[Reply]:
    return await asyncio.gather(*(model.ask(request) for request in requests))


def logits(model: HFModel, request: Request, answer: str) -> tuple[Any, list[int]]:
    """Log-probabilities by a plain forward pass over prompt and answer, without padding."""
    import torch

    engine: Any = model.engine
    prompt = engine.prompt(request)
    tokens = engine.tokenizer(answer, add_special_tokens=False)["input_ids"]
    with torch.inference_mode():
        out = engine.model(input_ids=torch.tensor([prompt + tokens])).logits[0].float()
    return torch.log_softmax(out[len(prompt) - 1 :], -1), tokens


def test_greedy_answers_and_logprobs_are_those_of_a_plain_forward_pass(model: HFModel) -> None:
    (reply,) = ask(model, ASK)
    engine: Any = model.engine
    from_generate = engine.model.generate(
        __import__("torch").tensor([engine.prompt(ASK)]), max_new_tokens=8, do_sample=False
    )[0, len(engine.prompt(ASK)) :]
    assert engine.tokenizer.decode(from_generate, skip_special_tokens=True) == reply.text
    plain, _ = logits(model, ASK, "")
    assert reply.tokens[0].logprob == pytest.approx(float(plain[0].max()), abs=1e-4)


def test_a_batch_answers_as_each_alone(model: HFModel) -> None:
    requests = [Request(messages(("user", "word " * n)), max_tokens=6) for n in (1, 9, 40)]
    alone = [ask(model, request)[0].text for request in requests]
    assert [reply.text for reply in ask(model, *requests)] == alone


def test_a_random_model_follows_a_schema(model: HFModel) -> None:
    requests = [
        Request(messages(("user", str(n))), SCHEMA, temperature=1.0, seed=n, max_tokens=40)
        for n in range(10)
    ]
    answers = [json.loads(reply.text)["answer"] for reply in ask(model, *requests)]
    assert set(answers) <= {"A", "B", "tie"}
    assert len(set(answers)) > 1


def test_the_same_seed_draws_the_same_answer_and_another_sample_another(model: HFModel) -> None:
    warm = Request(messages(("user", "x")), temperature=1.0, seed=5, max_tokens=12)
    again = Request(messages(("user", "x")), temperature=1.0, seed=5, max_tokens=12, sample=1)
    first, second, other = ask(model, warm, warm, again)
    assert first.text == second.text
    assert other.text != first.text

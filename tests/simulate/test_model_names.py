from __future__ import annotations

import pytest

from assize.simulate._model_names import check_apart, model_of

# MTDEval, appendices A.1 and A.2
GENERATORS = ("gpt-4o-mini", "Qwen2-72B-Instruct", "gemini-1.5-flash", "claude-3.5-sonnet")
JUDGES = ("claude-3-7-sonnet-20250219", "gpt-4o", "grok-3", "deepseek-r1", "gemini-2.0-flash")


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("gpt-4o", "gpt-4o"),
        ("openai:gpt-4o-2024-11-20", "gpt-4o"),
        ("dimensions@openai:gpt-4-1106-preview", "gpt-4"),
        ("explained/fewshot@anthropic:claude-3-5-sonnet@20240620", "claude-3-5-sonnet"),
        ("hf:Qwen/Qwen2.5-7B-Instruct/", "qwen2.5-7b-instruct"),
        ("gemini-1.5-flash-latest", "gemini-1.5-flash"),
        ("openai:llama3:8b", "llama3:8b"),
        ("evaluator", "evaluator"),
    ],
)
def test_a_name_tells_the_model(name: str, model: str) -> None:
    assert model_of(name) == model


def test_the_published_judges_are_other_models_of_the_same_families() -> None:
    check_apart(JUDGES, GENERATORS)

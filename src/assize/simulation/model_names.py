"""Which names of models mean the same model, or models of one family: who may not judge whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from assize.errors import ConfigError

Apart = Literal["model", "family"]

_FAMILIES: tuple[tuple[str, str], ...] = (
    (r"claude", "claude"),
    (r"gemini|gemma|palm|bard", "google"),
    (r"deepseek", "deepseek"),  # before llama and qwen: it is distilled into both
    (r"qwen|qwq|tongyi", "qwen"),
    (r"llama|vicuna|alpaca|koala|wizardlm|prometheus|autoj|armorm|samer", "llama"),
    (r"mistral|mixtral|ministral|zephyr", "mistral"),
    (r"grok", "grok"),
    (r"command|cohere", "cohere"),
    (r"\bglm|chatglm", "glm"),
    (r"\bphi", "phi"),
    (r"gpt|davinci|\bo[134]\b", "gpt"),
)
_DATED = re.compile(r"[-_@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest|preview)$")


def model_of(name: str) -> str:
    """The model in the name of a judge or a model, without provider, folder, date and tag.

    >>> model_of("dimensions@openai:gpt-4o-2024-11-20"), model_of("hf:Qwen/Qwen2-72B-Instruct")
    ('gpt-4o', 'qwen2-72b-instruct')
    """
    named = _DATED.sub("", name)  # a date may stand behind an @ too
    model = named.rpartition("@")[2]
    provider, colon, rest = model.partition(":")
    plain = (rest if colon and provider.isalpha() else model).strip().lower()
    plain = plain.rstrip("/").rpartition("/")[2]
    while (short := _DATED.sub("", plain)) != plain and short:
        plain = short
    return plain


def family_of(name: str) -> str:
    """The family that a model's name tells; a name that tells none is a family of its own.

    >>> family_of("anthropic:claude-3-5-sonnet-latest"), family_of("openai:o4-mini")
    ('claude', 'gpt')
    """
    model = model_of(name)
    return next((family for pattern, family in _FAMILIES if re.search(pattern, model)), model)


def shared(
    judges: Iterable[str], generators: Iterable[str], apart: Apart
) -> Mapping[str, tuple[str, ...]]:
    """By judge, the generators that are the same model, or of the same family."""
    same = model_of if apart == "model" else family_of
    known = list(dict.fromkeys(generators))
    found = {one: tuple(other for other in known if same(one) == same(other)) for one in judges}
    return {one: others for one, others in found.items() if others}


def check_apart(judges: Iterable[str], generators: Iterable[str], apart: Apart) -> None:
    """Raises ConfigError, naming them, where a judge would judge what it wrote itself.

    Source: MTDEval, appendix A.2: the judges are other models than those that generated. It keeps
    models apart and not families: gpt-4o judges what gpt-4o-mini wrote. `family` is stricter.
    """
    both = shared(judges, generators, apart)
    if both:
        named = "; ".join(f"{one} ({', '.join(others)})" for one, others in both.items())
        which = "the same model" if apart == "model" else "a model of the same family"
        raise ConfigError(
            f"a judge should not judge what it wrote, and {which} generates: {named}; name other"
            " judges, or leave these out"
        )

"""Which names of models mean the same model: who may not judge whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assize.base.errors import ConfigError

_DATED = re.compile(r"[-_@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest|preview)$")


def model_of(name: str) -> str:
    """The model in the name of a judge or a model, without provider, folder, date and tag.

    >>> model_of("dimensions@openai:gpt-4o-2024-11-20"), model_of("hf:Qwen/Qwen2-72B-Instruct")
    ('gpt-4o', 'qwen2-72b-instruct')
    """
    # a date may stand behind an @ too
    named = _DATED.sub("", name)
    model = named.rpartition("@")[2]
    provider, colon, rest = model.partition(":")
    plain = (rest if colon and provider.isalpha() else model).strip().lower()
    plain = plain.rstrip("/").rpartition("/")[2]
    while (short := _DATED.sub("", plain)) != plain and short:
        plain = short
    return plain


def shared(judges: Iterable[str], generators: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """By judge, the generators that are the same model."""
    known = list(dict.fromkeys(generators))
    found = {
        one: tuple(other for other in known if model_of(one) == model_of(other)) for one in judges
    }
    return {one: others for one, others in found.items() if others}


def check_apart(judges: Iterable[str], generators: Iterable[str]) -> None:
    """Raises ConfigError, naming them, where a judge would judge what it wrote itself.

    Source: MTDEval, appendix A.2: the judges are other models than those that generated. It keeps
    models apart and not families: gpt-4o judges what gpt-4o-mini wrote.
    """
    both = shared(judges, generators)
    if both:
        named = "; ".join(f"{one} ({', '.join(others)})" for one, others in both.items())
        raise ConfigError(
            f"a judge should not judge what it wrote, and the same model generates: {named}; name"
            " other judges, or leave these out"
        )

"""Answers as long as they may be: what a dialogue would take at most."""

from __future__ import annotations

import json
from collections.abc import Callable

from assize.simulate._recipes.asking import LONGEST, QUERY, QUESTION, WHOLE

_CHARACTERS_A_TOKEN = 4


def longest_answer(topic: str, most: int, invented: list[str]) -> Callable[[str], str]:
    """The longest answers to each prompt, in a dialogue that reaches the limit of exchanges.

    Questions and queries name the topic.

    Args:
        invented: gets each prompt that is answered so.
    """

    def answer(prompt: str) -> str:
        invented.append(prompt)
        if prompt == WHOLE:
            size = LONGEST[WHOLE] * _CHARACTERS_A_TOKEN // (2 * most)
            each = dict.fromkeys(("user", "assistant"), "w" * size)
            return json.dumps({"exchanges": [each] * most})
        if prompt == QUERY:
            return json.dumps({"query": topic})
        about = topic if prompt == QUESTION else ""
        words = "w " * (LONGEST[prompt] * _CHARACTERS_A_TOKEN // 2 - 16)
        return json.dumps({"text": f"{about} {words}"})

    return answer

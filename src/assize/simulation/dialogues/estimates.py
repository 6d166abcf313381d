"""What open-ended dialogues would take: as expected, and at most."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.judging.outcome import Estimates
from assize.models.estimating import Estimate
from assize.simulation.dialogues.asking import (
    ASSISTANT,
    END,
    LONGEST,
    QUERY,
    QUESTION,
    USER,
    WHOLE,
)
from assize.tables import Result, ResultTable

# Words of an utterance: the means of LLM-Rubric's 223 real conversations, whose assistants cite;
# of 1,053 characters, which are 175 times `words `. The greeting is not counted.
_WORDS = {QUESTION: 8, USER: 8, ASSISTANT: 175, QUERY: 6}
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Expected:
    """How many exchanges a dialogue is likely to have.

    Args:
        exchanges: of LLM-Rubric's 223 real conversations the mean is 3.6.
        because: where the number comes from.
    """

    exchanges: int = 4
    because: str = "the mean of LLM-Rubric's 223 real ones is 3.6"


def example_answer(topic: str, exchanges: int, most: int) -> Callable[[str, int], str]:
    """Answers as they could be, by prompt and number, in a dialogue of so many exchanges.

    Questions and queries name the topic, so that searches find what they are likely to find.

    At the limit of exchanges they are as long as they may be, for that is what costs most.
    """
    longest = exchanges >= most

    def answer(prompt: str, number: int) -> str:
        if prompt == WHOLE:
            each = {"user": _text(USER, False), "assistant": _text(ASSISTANT, False)}
            count = min(most, exchanges)
            if longest:
                size = LONGEST[WHOLE] * _CHARACTERS_A_TOKEN // (2 * count)
                each = dict.fromkeys(each, "w" * size)
            return json.dumps({"exchanges": [each] * count})
        if prompt == QUERY:
            return json.dumps({"query": topic})
        if prompt == USER and number >= exchanges:
            return json.dumps({"text": END})
        about = topic if prompt == QUESTION else ""
        return json.dumps({"text": f"{about} {_text(prompt, longest)}"})

    return answer


def _text(prompt: str, longest: bool) -> str:
    if longest:
        return "w " * (LONGEST[prompt] * _CHARACTERS_A_TOKEN // 2 - 16)
    return "words " * _WORDS[prompt]


@dataclass(frozen=True, slots=True)
class DialogueEstimates(Result):
    """What a run would take, by model.

    Args:
        expected, most: estimates for the two cases; `expected` has `because` in words.
        open_ended: dialogues whose length nobody knows before.
    """

    expected: Mapping[str, Estimate]
    most: Mapping[str, Estimate]
    exchanges: int
    limit: int
    because: str
    open_ended: int

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`expected` and `most`."""
        each = f"{self.exchanges} exchanges a dialogue ({self.because})"
        title = f"Expected, with {each}" if self.open_ended else "What it would take"
        found = {"expected": self._titled(self.expected, title)}
        told = f"At most, if every dialogue reaches {self.limit} exchanges of the longest answers"
        found["most"] = self._titled(self.most, told)
        return found

    @staticmethod
    def _titled(found: Mapping[str, Estimate], title: str) -> ResultTable:
        table = Estimates(found).tables["estimate"]
        return ResultTable(title, table.columns, table.rows)

    @property
    def notes(self) -> Sequence[str]:
        """What is not counted, and where no price is known."""
        unread = "answers that cannot be read are asked for again; that is not counted"
        return [unread, *Estimates(self.most).notes]

    def to_json(self) -> dict[str, Any]:
        """Both cases, by model."""
        return {
            "expected": {"exchanges": self.exchanges, **Estimates(self.expected).to_json()},
            "at_most": {"exchanges": self.limit, **Estimates(self.most).to_json()},
            "open_ended": self.open_ended,
        }

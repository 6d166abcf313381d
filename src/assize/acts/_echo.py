"""`da-paper`: the paper's form of `da`, in which the judge repeats every turn with its labels.

It costs about twice as much as `da`. The answer is read like recorded outputs are
(`recorded.py`), and asked for again where its turns are not the item's. Names outside the
taxonomy cannot be forbidden in text: they are kept, and analysis counts them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assize.acts._da import DialogueActs, named, numbered, speaks
from assize.acts._recorded import read_recorded, spoken
from assize.base.conversation import Item, Pair
from assize.base.errors import AnswerError
from assize.judging.method import Method
from assize.judging.reading import read_answer
from assize.judging.schemas import one_of, record, words

_VERDICT = record(answer=one_of(("A", "B")), explanation=words())


def echoing(method: Method) -> Method:
    """The method asked in the paper's form."""
    return replace(
        method,
        prompt="da-paper",
        find=find,
        write=write,
        plain=True,
        schema=_VERDICT,
        max_tokens=8192,
    )


def find(text: str, method: Method, item: Item, judged: Sequence[str]) -> dict[str, Any]:
    """The verdict, and the acts of every turn before it."""
    value = read_answer(text, _VERDICT, judged)
    wanted = numbered(item)
    assert isinstance(item, Pair)  # else `numbered` has refused it
    reading = read_recorded(text[: text.rfind("{")], spoken(item))
    keys = list(wanted)
    bare = [
        key
        for key, acts in zip(keys, reading.turns, strict=True)
        if not acts and speaks(wanted[key])
    ]
    problems = [named("lacks labels for", bare)]
    if reading.invented:
        shown = json.dumps(reading.invented[0].text[:80])
        problems.append(f"has labels for what nobody said, such as {shown}")
    if any(problems):
        raise AnswerError(f"the text {'; it '.join(filter(None, problems))}")
    turns = [
        {"place": place, "turn": number, "acts": [list(act) for act in acts or ()]}
        for (place, number), acts in zip(keys, reading.turns, strict=True)
    ]
    return {**value, "turns": turns}


def write(answer: Mapping[str, Any], method: Method, item: Item) -> str:
    """An example's answer in the paper's form."""
    wanted = numbered(item)
    lines = []
    for turn in answer["turns"]:
        one = wanted[turn["place"], turn["turn"]]
        number = {"context": "", "A": "-1", "B": "-2"}[turn["place"]]
        speaker = "Assistant" if one.role == "assistant" else "Human"
        lines.append(f"{speaker}{number}: {one.text} <SEP> {_labels(turn['acts'])}")
    verdict = {"answer": answer["answer"], "explanation": answer["explanation"]}
    return "\n".join([*lines, json.dumps(verdict)])


def _labels(acts: Sequence[str]) -> str:
    functions: dict[str, list[str]] = {}
    for act in acts:
        dimension, _, function = act.partition(": ")
        functions.setdefault(dimension, []).append(function)
    return " ".join(
        json.dumps({"Dim": dimension, "Func": " & ".join(names)})
        for dimension, names in functions.items()
    )


DA_PAPER = DialogueActs(
    "da-paper", "da in the paper's form: the judge repeats every turn", form=echoing
)

"""`maxim`: which response keeps to each of twelve maxims better, then which is better.

It is shown three judged pairs, as the paper's judge is (arXiv 2505.20451, appendix G), of our
own making; `maxim-zeroshot` is asked without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assize.acts._maxims import MAXIMS, SIDES
from assize.base.conversation import Item, Pair
from assize.base.errors import AnswerError
from assize.base.judgment import PREFERENCE
from assize.judging.method import Method, Said
from assize.judging.reading import read_answer
from assize.judging.schemas import one_of, record, words

PROMPTS = Path(__file__).with_name("prompts")

_EXCHANGED = {"A": "B", "B": "A"}
_FINAL = "Final Answer"  # how some models name the answer, whatever they are asked


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """The choice with its reasons, and who keeps to each maxim."""
    held = {name: value[name] for name in MAXIMS}
    yield Said(PREFERENCE.id, value["answer"], None, value["explanation"], {"maxims": held})


def find(text: str, method: Method, item: Item, judged: Sequence[str]) -> dict[str, Any]:
    """The answer in a reply; `Final Answer` is another name of `answer`."""
    try:
        return read_answer(text, method.schema, judged)
    except AnswerError:
        if _FINAL.casefold() not in text.casefold():
            raise
    properties = dict(method.schema["properties"])
    properties[_FINAL] = properties.pop("answer")
    value = read_answer(text, record(**properties), judged)
    return {**value, "answer": value.pop(_FINAL)}


def exchange(details: Mapping[str, Any]) -> dict[str, Any]:
    """The details with both sides exchanged."""
    maxims = details.get("maxims", {})
    return {"maxims": {name: _EXCHANGED.get(side, side) for name, side in maxims.items()}}


MAXIM = Method(
    name="maxim",
    about="which of two responses keeps to twelve maxims, and which is better; reasons first",
    takes=(Pair,),
    questions=(PREFERENCE,),
    prompt="maxim",
    schema=record(
        **{name: one_of(SIDES) for name in MAXIMS},
        explanation=words(),
        answer=one_of(("A", "B")),
    ),
    read=read,
    examples="maxim",
    max_tokens=1024,
    home=PROMPTS,
    values={"maxims": MAXIMS},
    find=find,
    exchange=exchange,
)
MAXIM_ZEROSHOT = replace(
    MAXIM, name="maxim-zeroshot", about="maxim without judged examples", examples=None
)

"""`io`: which response is better, the answer alone (AMULET's input-output baseline).

`io-paper` is asked as the paper asks (arXiv 2505.20451, appendix E): by its criteria, the
responses called 1 and 2, and one of them has to be chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assize.base.conversation import Pair
from assize.base.judgment import PREFERENCE
from assize.judging.method import Method, Said
from assize.judging.schemas import one_of, preference, record

NUMBERED = {"1": "A", "2": "B"}  # how the paper's judges name the responses


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """The one answer."""
    yield Said(PREFERENCE.id, value["answer"])


def read_numbered(value: Mapping[str, Any]) -> Iterable[Said]:
    """The one answer, of a judge to whom the responses are 1 and 2."""
    yield Said(PREFERENCE.id, NUMBERED[value["answer"]])


IO = Method(
    name="io",
    about="which of two responses is better; the answer alone",
    takes=(Pair,),
    questions=(PREFERENCE,),
    prompt="io",
    schema=record(answer=preference()),
    read=read,
    choice="answer",
    max_tokens=64,
)
IO_FEWSHOT = replace(IO, name="io-fewshot", about="io, with judged examples", examples="pairs")
IO_PAPER = replace(
    IO,
    name="io-paper",
    about="io as AMULET's paper asks: one of the two has to be chosen, by its criteria",
    prompt="io-paper",
    schema=record(answer=one_of(tuple(NUMBERED))),
    read=read_numbered,
    words=NUMBERED,
)
IO_PAPER_FEWSHOT = replace(
    IO_PAPER,
    name="io-paper-fewshot",
    about="io-paper, with two judged examples",
    examples="pairs-paper",
)

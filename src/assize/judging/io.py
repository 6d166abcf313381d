"""`io`: which response is better, the answer alone (AMULET's input-output baseline)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assize.conversation import Pair
from assize.judging.method import Method, Said
from assize.judging.schemas import preference, record
from assize.judgment import PREFERENCE


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """The one answer."""
    yield Said(PREFERENCE.id, value["answer"])


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

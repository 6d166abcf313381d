"""`explained`: reasons first, then which response is better (AMULET's explained baseline)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assize.conversation import Pair
from assize.judging.method import Method, Said
from assize.judging.schemas import preference, record, words
from assize.judgment import PREFERENCE


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """The one answer with its reasons."""
    yield Said(PREFERENCE.id, value["answer"], explanation=value["explanation"])


EXPLAINED = Method(
    name="explained",
    about="which of two responses is better; reasons first",
    takes=(Pair,),
    questions=(PREFERENCE,),
    prompt="explained",
    schema=record(explanation=words(), answer=preference()),
    read=read,
)
EXPLAINED_FEWSHOT = replace(
    EXPLAINED,
    name="explained-fewshot",
    about="explained, with judged examples",
    examples="pairs",
)


PAIRWISE = replace(
    EXPLAINED,
    name="pairwise",
    about="in which of two dialogues the assistant did better; reasons first",
    prompt="pairwise",
)

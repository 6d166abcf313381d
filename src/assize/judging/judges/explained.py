"""`explained`: reasons first, then which response is better (AMULET's explained baseline).

`explained-paper` is asked as the paper asks (arXiv 2505.20451, appendix E): the choice of
response 1 or 2 first, and reasons for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assize.base.conversation import Pair
from assize.base.judgment import PREFERENCE
from assize.judging.judges.io import NUMBERED
from assize.judging.method import Method, Said
from assize.judging.schemas import one_of, preference, record, words


def read(value: Mapping[str, Any]) -> Iterable[Said]:
    """The one answer with its reasons."""
    yield Said(PREFERENCE.id, value["answer"], explanation=value["explanation"])


def read_numbered(value: Mapping[str, Any]) -> Iterable[Said]:
    """The one answer with its reasons, of a judge to whom the responses are 1 and 2."""
    yield Said(PREFERENCE.id, NUMBERED[value["answer"]], explanation=value["explanation"])


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
EXPLAINED_PAPER = replace(
    EXPLAINED,
    name="explained-paper",
    about="io-paper with reasons after the choice: W-EXPL of AMULET's paper (also: w-expl)",
    prompt="explained-paper",
    schema=record(answer=one_of(tuple(NUMBERED)), explanation=words()),
    read=read_numbered,
    choice="answer",
    words=NUMBERED,
)
EXPLAINED_PAPER_FEWSHOT = replace(
    EXPLAINED_PAPER,
    name="explained-paper-fewshot",
    about="explained-paper, with two judged examples",
    examples="pairs-paper",
)


PAIRWISE = replace(
    EXPLAINED,
    name="pairwise",
    about="in which of two dialogues the assistant did better; reasons first",
    prompt="pairwise",
)

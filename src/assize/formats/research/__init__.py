"""The formats of published research data; each recognised by fields that only it holds."""

from __future__ import annotations

from assize.formats.format import Format
from assize.formats.research.amulet import AMULET_OUTPUTS, AMULET_PAIRS, AMULET_REWARDS
from assize.formats.research.daily_mtd import DAILY_MTD, DAILY_MTD_DIM, DAILY_MTD_SINGLE
from assize.formats.research.llm_rubric import (
    LLM_RUBRIC_ANSWERS,
    LLM_RUBRIC_DIALOGUES,
    LLM_RUBRIC_RATINGS,
)
from assize.formats.research.mtdeval import P2_MTD
from assize.formats.research.rated import (
    FED_CONTURE,
    IEVAL,
    RATED,
    RELIABLE_EVAL,
    TOPICAL_CHAT,
    USS,
)
from assize.formats.research.responses import MRBENCH, REFERENCE_TURNS
from assize.formats.research.upheld import UPHELD
from assize.formats.research.votes import VOTED_PAIRS

RESEARCH: tuple[Format, ...] = (
    UPHELD,
    P2_MTD,
    DAILY_MTD_SINGLE,
    DAILY_MTD_DIM,
    DAILY_MTD,
    LLM_RUBRIC_ANSWERS,
    LLM_RUBRIC_RATINGS,
    LLM_RUBRIC_DIALOGUES,
    AMULET_PAIRS,
    AMULET_OUTPUTS,
    AMULET_REWARDS,
    VOTED_PAIRS,
    MRBENCH,
    REFERENCE_TURNS,
    USS,
    RELIABLE_EVAL,
    IEVAL,
    FED_CONTURE,
    TOPICAL_CHAT,
    RATED,  # any other rated conversations, so last
)

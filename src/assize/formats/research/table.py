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
from assize.formats.research.public_pairs import ARENA_TEXTS, REWARD_BENCH, SAFE_RLHF
from assize.formats.research.public_ratings import HELP_STEER, RATED, ULTRAFEEDBACK
from assize.formats.research.upheld import UPHELD

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
    REWARD_BENCH,
    HELP_STEER,
    SAFE_RLHF,
    ULTRAFEEDBACK,
    ARENA_TEXTS,
    RATED,  # wider than all of the above, so last
)

"""Every known format, by name; the first that recognises a file reads it."""

from __future__ import annotations

from assize.formats.format import Format
from assize.formats.logs.hh_rlhf import HH_RLHF
from assize.formats.logs.lmsys import LMSYS, WILDCHAT
from assize.formats.logs.openai import OPENAI
from assize.formats.logs.sharegpt import SHAREGPT, SHAREGPT_PAIRS
from assize.formats.logs.trl import TRL
from assize.formats.logs.turns_csv import TURNS_CSV
from assize.formats.own.assize_csv import ASSIZE_CSV
from assize.formats.own.assize_jsonl import ASSIZE
from assize.formats.own.parquet import ASSIZE_PARQUET
from assize.formats.research import RESEARCH

# Narrow before wide: a later format may also recognise what an earlier one reads better.
FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        ASSIZE_PARQUET,
        ASSIZE_CSV,
        *RESEARCH,
        ASSIZE,
        HH_RLHF,
        TRL,
        LMSYS,
        WILDCHAT,
        SHAREGPT_PAIRS,
        SHAREGPT,
        TURNS_CSV,
        OPENAI,
    )
}

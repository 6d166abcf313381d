"""Every known format, by name; the first that recognises a file reads it."""

from __future__ import annotations

from assize.formats.assize_csv import ASSIZE_CSV
from assize.formats.assize_jsonl import ASSIZE
from assize.formats.format import Format
from assize.formats.hh_rlhf import HH_RLHF
from assize.formats.lmsys import LMSYS, WILDCHAT
from assize.formats.openai import OPENAI
from assize.formats.parquet import ASSIZE_PARQUET
from assize.formats.research import RESEARCH
from assize.formats.sharegpt import SHAREGPT
from assize.formats.trl import TRL
from assize.formats.turns_csv import TURNS_CSV

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
        SHAREGPT,
        TURNS_CSV,
        OPENAI,
    )
}

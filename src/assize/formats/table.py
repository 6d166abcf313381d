"""Every known format, by name; the first that recognises a file reads it.

Installed packages add formats by entry points of the group `assize.formats`, each naming a
`Format` of the entry point's name; they are asked when none of ours will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from assize.base.arguments import did_you_mean
from assize.base.errors import ConfigError
from assize.base.plugins import Group, Plugin, each, plugins
from assize.formats.format import Format
from assize.formats.logs.arena import ARENA
from assize.formats.logs.chat import ANTHROPIC, LANGCHAIN, LMSYS, OPENAI, WILDCHAT
from assize.formats.logs.inspect import INSPECT
from assize.formats.logs.langfuse import LANGFUSE
from assize.formats.logs.openai_responses import OPENAI_RESPONSES
from assize.formats.logs.traces import OTEL_GENAI, PHOENIX
from assize.formats.logs.training import (
    HH_RLHF,
    PROMPT_COMPLETION,
    SHAREGPT,
    SHAREGPT_PAIRS,
    TRL,
)
from assize.formats.logs.turns_csv import TURNS_CSV
from assize.formats.own.assize_csv import ASSIZE_CSV
from assize.formats.own.assize_jsonl import ASSIZE
from assize.formats.own.parquet import ASSIZE_PARQUET
from assize.formats.ratings.rating_table import RATINGS
from assize.formats.research.table import RESEARCH

GROUP: Group = "assize.formats"

# Narrow before wide: a later format may also recognise what an earlier one reads better.
FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        ASSIZE_PARQUET,
        ASSIZE_CSV,
        *RESEARCH,
        ASSIZE,
        ARENA,
        HH_RLHF,
        TRL,
        PROMPT_COMPLETION,
        LMSYS,
        WILDCHAT,
        SHAREGPT_PAIRS,
        SHAREGPT,
        INSPECT,
        LANGFUSE,
        OTEL_GENAI,
        PHOENIX,
        OPENAI_RESPONSES,
        LANGCHAIN,
        ANTHROPIC,
        TURNS_CSV,
        OPENAI,
        RATINGS,  # recognised by what its columns are called and hold, so last
    )
}


def named(name: str) -> Format:
    """The format of that name; raises ConfigError listing the known ones."""
    if name in FORMATS:
        return FORMATS[name]
    found = plugins(GROUP)
    if name in found:
        return _format(found[name])
    known = (*FORMATS, *found)
    near = did_you_mean(name, known)
    raise ConfigError(f"no format {name!r}; {near}known are {', '.join(known)}")


def installed(note: Callable[[str], object] = lambda _: None) -> Iterator[Format]:
    """The formats that installed packages add; `note` is told which of them are broken."""
    for _, one in each(GROUP, FORMATS, _format, note):
        yield one


def _format(plugin: Plugin) -> Format:
    found = plugin.load()
    if not isinstance(found, Format) or found.name != plugin.name:
        what = f"a format named {found.name!r}" if isinstance(found, Format) else repr(found)
        raise plugin.broken(f"received {what[:60]}; expected a Format named {plugin.name!r}")
    return found

"""Every known format, by name; the first that recognises a file reads it."""

from __future__ import annotations

from assize.formats.assize_jsonl import ASSIZE
from assize.formats.format import Format

FORMATS: dict[str, Format] = {one.name: one for one in (ASSIZE,)}

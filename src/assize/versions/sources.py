"""What is given as versions, by name: files, tables and lists."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assize.formats.items import Items
from assize.formats.memory import is_frame
from assize.formats.records import is_table

_SUFFIXES = re.compile(r"(\.(jsonl|json|csv|parquet|xlsx|gz|zst))+$", re.IGNORECASE)
_RECORD = {"item", "turns", "messages", "candidate", "a"}
"""Fields of which a record has one."""

_PLAIN = re.compile(r"[^=/\\]+=.+", re.DOTALL)


def name_sources(given: Any) -> dict[str, list[Any]]:
    """Return the sources of each version by its name, in their order."""
    if isinstance(given, Items):
        named = name_sources(given.source)
        return {name: [given.part(one) for one in several] for name, several in named.items()}
    if isinstance(given, Mapping) and not _RECORD & given.keys():
        return {str(name): _listed(one) for name, one in given.items()}
    found: dict[str, list[Any]] = {}
    several = list(given) if _is_several(given) else [given]
    bare = _names([one for one in several if _split(one) is None])
    for one in several:
        parted = _split(one)
        name, source = (next(bare), one) if parted is None else parted
        found.setdefault(name, []).append(source)
    return found


def are_named(versions: Any) -> bool:
    """Whether each source stands with the name of its version."""
    if isinstance(versions, Items):
        return are_named(versions.source)
    if isinstance(versions, Mapping):
        return not _RECORD & versions.keys()
    sources = versions if _is_several(versions) else [versions]
    return all(_split(source) is not None for source in sources)


def _listed(one: Any) -> list[Any]:
    if isinstance(one, Items):
        return [one.part(source) for source in _listed(one.source)]
    return list(one) if _is_several(one) else [one]


def _is_several(given: Any) -> bool:
    """Whether a list holds sources, one each, and not the records of one."""
    if not isinstance(given, list | tuple) or not given:
        return False
    return all(
        isinstance(one, str | os.PathLike | Items)
        or is_table(one)
        or is_frame(one)
        or _is_records(one)
        for one in given
    )


def _is_records(one: Any) -> bool:
    """Whether it is a list of records, and not the messages of one conversation."""
    if not isinstance(one, list | tuple) or not one:
        return False
    return not (isinstance(one[0], Mapping) and "role" in one[0])


def _split(one: Any) -> tuple[str, str] | None:
    """Name and file of `old=run/`; None for what has no name."""
    if not isinstance(one, str) or os.path.exists(one) or not _PLAIN.fullmatch(one):
        return None
    name, _, source = one.partition("=")
    return (name, source) if "://" not in name else None


def _names(bare: Sequence[Any]) -> Iterator[str]:
    """Names of what has none: of files as short as tells them apart."""
    files = [Path(one) if (one := _file_of(source)) else None for source in bare]
    # A name without what says the format: of `gpt-4.1.jsonl.gz` it is `gpt-4.1`.
    short = [None if one is None else _SUFFIXES.sub("", one.name) or one.name for one in files]
    usual = ("old", "new") if len(bare) == 2 else tuple(f"v{at + 1}" for at in range(len(bare)))
    for at, (file, name) in enumerate(zip(files, short, strict=True)):
        if file is None or name is None:
            yield usual[at]
        elif short.count(name) == 1:
            yield name
        else:
            longer = f"{file.parent.name}/{name}"
            again = [
                f"{one.parent.name}/{own}" for one, own in zip(files, short, strict=True) if one
            ]
            yield longer if again.count(longer) == 1 else f"{at + 1}: {name}"


def _file_of(source: Any) -> str | None:
    if isinstance(source, Items):
        return source.paths[0] if len(source.paths) == 1 else None
    return str(source) if isinstance(source, str | os.PathLike) else None

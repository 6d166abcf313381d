"""What may be asked: names that stand in files are information, and ask nobody.

A file may come from anybody. A model, judge or encoder that it names would get conversations, spend
money, load files or import code. So it is asked only where the user names it in the same command,
or where it is one of `HARMLESS`, which need no model, no network and no code of the user's.

Every reader of a file that names something decides by `check_named`;
`tests/test_names_in_files.py` holds the list of readers, and fails for one that it does not know.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from typing import Any, Literal

from assize.base.errors import ConfigError, DataError
from assize.base.secrets import keep_urls, redacted

Role = Literal["model", "judge", "encoder", "address"]

HARMLESS: Mapping[Role, frozenset[str]] = {
    "model": frozenset({"scripted:first", "scripted:any", "scripted:quote"}),
    "judge": frozenset({"metrics", "tool-calls"}),
    "encoder": frozenset({"minilm"}),  # the package pins its files by hash
    "address": frozenset(),
}
"""What a file may name by itself: built in, without a model, a network or code."""

LONGEST = 200  # characters of a name that a message shows


def check_named(
    name: Any, role: Role, *, source: str, remedy: str, allow: Collection[str] = ()
) -> str:
    """Return a name that stands in a file, where it may be asked.

    Args:
        name: as it stands in the file.
        role: what it names.
        source: who names it, as the beginning of a message: `FILE names`, `FILE was learnt with`.
        remedy: how the user names it, with `{}` for the name.
        allow: what the user names in this command.

    Raises:
        ConfigError: the user does not name it.
        DataError: it is no name.

    >>> check_named("minilm", "encoder", source="evaluator.json names", remedy="--encoder {}")
    'minilm'
    """
    if not isinstance(name, str):
        raise DataError(f"names no {role}, but {name!r:.60}")
    if name in HARMLESS[role] or name in allow:
        return name
    raise ConfigError(
        f"{source} {show_name(name)}; {role}s that a file names are not asked by themselves:"
        f" {remedy.replace('{}', show_name(name))}"
    )


def show_name(name: str) -> str:
    """Return a name from a file as a shell takes it, without control characters and secrets.

    >>> show_name("openai:gpt-4o"), show_name("x; rm y")
    ('openai:gpt-4o', "'x; rm y'")
    """
    keep_urls(name)
    return shlex.quote(redacted(ascii(name[:LONGEST])[1:-1]))

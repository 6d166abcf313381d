"""What is given as versions, read: judgments, conversations to be scored, or both; and split."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assize.conversation import Item
from assize.errors import ConfigError, DataError
from assize.evaluator import Evaluator
from assize.formats import Items, items_from, read
from assize.formats.kinds import is_table
from assize.formats.labels.labelling import no_field, values_of
from assize.formats.memory import is_frame
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.tables.numbers import counted
from assize.versions.comparing import Field
from assize.versions.version import Version
from assize.workflows.reading import OnError, is_judgment, items_in, judgments_of, log, rejects
from assize.workflows.score import score

_SUFFIXES = re.compile(r"(\.(jsonl|json|csv|parquet|xlsx|gz|zst))+$", re.IGNORECASE)
_PLAIN = re.compile(r"[^=/\\]+=.+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reading:
    """How versions are read.

    Args:
        items: what was judged, of all versions.
        evaluator: that scores conversations without judgments.
        format, on_error, quiet: as of `assize.score`.
        fields: what conversations are asked for later; said before any is scored if none has it.
    """

    items: Items | None = None
    evaluator: Evaluator | str | Path = "default"
    format: str | None = None
    on_error: OnError = "fail"
    quiet: bool = False
    fields: tuple[str, ...] = ()


@dataclass
class _Read:
    """What the sources of one version hold."""

    tables: list[JudgmentTable] = field(default_factory=list)
    items: dict[str, Item] = field(default_factory=dict)


def versions_of(given: Any, how: Reading) -> list[Version]:
    """The versions among what is given, in their order.

    Args:
        given: a dict by name; a list of files, tables or lists, one a version, of which files may
            be named (`old=run/`); or one version. What stands under one name belongs together:
            judgments, and the conversations that they are about.

    Raises:
        DataError: a version holds nothing that can be read, or scored; no conversation has one of
            `how.fields`.
    """
    common = {one.id: one for one in items_in(how.items, format=how.format)}
    found = {name: _read_all(sources, name, how) for name, sources in _named(given).items()}
    everything = [
        *common.values(),
        *(item for one in found.values() for item in one.items.values()),
    ]
    for field_name in how.fields:
        if everything and not any(values_of(item, field_name) for item in everything):
            raise no_field(field_name, everything)
    return [_version(name, one, common, how) for name, one in found.items()]


def _read_all(sources: Sequence[Any], name: str, how: Reading) -> _Read:
    found = _Read()
    for one in sources:
        _read(list(one) if isinstance(one, Iterator) else one, name, found, how)
    return found


def _named(given: Any) -> dict[str, list[Any]]:
    if isinstance(given, Mapping) and not _is_record(given):
        return {str(name): _listed(one) for name, one in given.items()}
    found: dict[str, list[Any]] = {}
    several = list(given) if _is_several(given) else [given]
    bare = _names([one for one in several if _split(one) is None])
    for one in several:
        parted = _split(one)
        name, source = (next(bare), one) if parted is None else parted
        found.setdefault(name, []).append(source)
    return found


def _listed(one: Any) -> list[Any]:
    return list(one) if _is_several(one) else [one]


def _is_record(given: Mapping[Any, Any]) -> bool:
    return any(name in given for name in ("item", "turns", "messages", "candidate", "a"))


def _is_several(given: Any) -> bool:
    """Whether a list holds sources, one each, and not the records of one."""
    if not isinstance(given, list | tuple) or not given:
        return False
    return all(
        isinstance(one, str | os.PathLike) or is_table(one) or is_frame(one) or _is_records(one)
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
    files = [Path(str(one)) if isinstance(one, str | os.PathLike) else None for one in bare]
    short = [None if one is None else _short(one.name) for one in files]
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


def _short(name: str) -> str:
    """A file's name without what says its format: of `gpt-4.1.jsonl.gz` it is `gpt-4.1`."""
    return _SUFFIXES.sub("", name) or name


def _version(name: str, found: _Read, common: Mapping[str, Item], how: Reading) -> Version:
    if found.tables:
        table = JudgmentTable.concat(found.tables)
    elif found.items:
        log.info("%s: no judgments, so its %s are scored by the evaluator %s", name,
                 counted(len(found.items), "item"), _called(how.evaluator))  # fmt: skip
        table = score(list(found.items.values()), evaluator=how.evaluator, quiet=how.quiet)
    else:
        raise DataError("neither judgments nor conversations are here", source=name)
    here = {one: common[one] for one in table.items if one in common and one not in found.items}
    return Version(name, table, {**found.items, **here})


def _called(evaluator: Evaluator | str | Path) -> str:
    return str(evaluator) if isinstance(evaluator, str | Path) else "given"


def _read(source: Any, name: str, found: _Read, how: Reading) -> None:
    """Adds the judgments of a source, or its conversations."""
    if _judges(source, how):
        found.tables.append(
            judgments_of(source, format=how.format, on_error=how.on_error, what=name)
        )
        if isinstance(source, str | os.PathLike) and not os.path.isdir(source):
            records = read(str(source), format=how.format, on_reject=lambda _: None)
            beside = [one for one in records if not isinstance(one, Judgment)]
            found.items |= {one.id: one for one in beside}
        return
    judged: list[Judgment] = []
    with rejects(how.on_error, f"{name}.rejects.jsonl") as (_, keep):
        items = items_from(
            source, argument=name, format=how.format, on_reject=keep, on_judgment=judged.append
        )
        found.items |= {one.id: one for one in items}
    if judged:
        found.tables.append(judgments_of(source, format=how.format, on_error=how.on_error))


def _judges(source: Any, how: Reading) -> bool:
    """Whether a source holds judgments, by its first record."""
    if is_table(source) or is_judgment(source):
        return True
    if isinstance(source, str | os.PathLike):
        if os.path.isdir(source):
            return True
        first = next(read(str(source), format=how.format, on_reject=lambda _: None), None)
        return isinstance(first, Judgment)
    if is_frame(source):
        return {"item", "judge"} <= set(map(str, getattr(source, "columns", ())))
    return isinstance(source, list | tuple) and bool(source) and is_judgment(source[0])


def split(version: Version, by: str) -> list[Version]:
    """The versions that a field of the conversations names, in the order of their names.

    Raises:
        DataError: no conversation has the field, or all have the same value.
    """
    values = _values(version, by)
    names = sorted(set(values.values()), key=_natural)
    if len(names) < 2:
        raise DataError(f"all conversations have the same {by}, {names[0]!r}; nothing to compare")
    lacking = len(version.table.items) - len(values)
    if lacking:
        log.warning("%s have no %s and are left out", counted(lacking, "conversation"), by)
    codes, items = version.table.codes("item")
    found = []
    for name in names:
        mine = np.array([values.get(one) == name for one in items], dtype=bool)
        kept = {one: item for one, item in version.items.items() if values.get(one) == name}
        found.append(Version(name, version.table.filter(mine[codes]), kept))
    return found


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """`v2` before `v10`."""
    parts = re.findall(r"\d+|\D+", name)
    return [(one.isdecimal(), int(one) if one.isdecimal() else 0, one) for one in parts]


def _values(version: Version, name: str) -> dict[str, str]:
    judged = {one: version.items[one] for one in version.table.items if one in version.items}
    if not judged:
        raise DataError(
            f"{name!r} is a field of the conversations, and none of those judged is here; give"
            " them with the judgments, or as items (--items)",
            source=version.name,
        )
    found = {one: str(value) for one, item in judged.items() for value in values_of(item, name)[:1]}
    if not found:
        raise no_field(name, judged.values())
    return found


def field_of(versions: Sequence[Version], name: str) -> Field:
    """A field's value by version and item.

    Raises:
        DataError: no conversation of any version has it.
    """
    found: dict[str, dict[str, str]] = {}
    problem: DataError | None = None
    for one in versions:
        try:
            found[one.name] = _values(one, name)
        except DataError as error:
            problem = error
    if not found and problem is not None:
        raise problem
    return found


def two(names: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """The first field, and the others.

    Raises:
        ConfigError: there are more than two.
    """
    if len(names) > 2:
        raise ConfigError(f"by: received {', '.join(names)}; give two at most")
    return (names[0] if names else None), names[1:]

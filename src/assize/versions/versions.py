"""What is given as versions, read: judgments, conversations to be scored, or both; and split."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from assize.base.conversation import Item, Pair
from assize.base.errors import ConfigError, DataError
from assize.base.fields import no_field, values_of
from assize.base.judgment import PREFERENCE, Judgment
from assize.evaluator import Evaluator, load_evaluator
from assize.formats import Items, ItemsLike, read_any
from assize.formats.arguments import (
    files_in,
    items_beside,
    items_in,
    judgments_of,
    named,
    select_items,
    source_of,
)
from assize.formats.records import is_table
from assize.judgments import JudgmentTable
from assize.results.log import log
from assize.results.numbers import counted
from assize.scoring.score import score
from assize.versions.comparing import Field
from assize.versions.distinct import check_distinct, check_ids
from assize.versions.sources import name_sources
from assize.versions.version import Version

_APART = (
    "give the items of each version with its own judgments (OLD=old.jsonl OLD=old-items.jsonl),"
    " give each item an id of its own, or have conversations scored by the field that says which"
    " version (compare chats.jsonl --by system)"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """How versions are read.

    Args:
        items: what was judged, of all versions.
        evaluator: that scores conversations without judgments.
        quiet: as of `assize.score`.
        fields: what conversations are asked for later; said before any is scored if none has it.
        split: the field that says which version, where one version alone is given.
        check_questions: called with the ids of all questions before any conversation is scored; it
            raises if others are meant.
    """

    items: ItemsLike | None = None
    evaluator: Evaluator | str | Path = "default"
    quiet: bool = False
    fields: tuple[str, ...] = ()
    split: str | None = None
    check_questions: Callable[[Sequence[str]], object] | None = None


@dataclass
class _Read:
    """What the sources of one version hold.

    Args:
        files: what the sources are called.
        tables: judgments by their file, or by a name for what is in memory.
        inside: items that stand among judgments.
        beside: items that stand apart from judgments, and so say which are meant.
    """

    files: list[str] = field(default_factory=list)
    tables: dict[str, JudgmentTable] = field(default_factory=dict)
    inside: list[Item] = field(default_factory=list)
    beside: list[Item] = field(default_factory=list)

    @property
    def items(self) -> list[Item]:
        """All items, as often as they stand there."""
        return [*self.inside, *self.beside]

    @property
    def to_score(self) -> list[Item]:
        """The items where there are no judgments."""
        return [] if self.tables else self.items


def versions_of(given: Any, how: Reading) -> list[Version]:
    """The versions among what is given, in their order.

    Args:
        given: a dict by name; a list of files, tables or lists, one a version, of which files may
            be named (`old=run/`); or one version. What stands under one name belongs together:
            judgments, and the conversations that they are about.

    Raises:
        DataError: a version holds nothing that can be read, or scored; no conversation has one of
            `how.fields`; two versions share judgments, or an id names two items of one version.
    """
    common = check_ids(items_in(how.items), "items", _APART)
    reads: dict[str, _Read] = {}
    for name, sources in name_sources(given).items():
        reads[name] = held = _Read([named(source) for source in sources])
        for source in sources:
            _add(list(source) if isinstance(source, Iterator) else source, name, held)
    everything = [*common.values(), *(item for held in reads.values() for item in held.items)]
    for field_name in how.fields:
        if everything and not any(values_of(item, field_name) for item in everything):
            raise no_field(field_name, everything)
    if how.fields and not common:
        _check_apart(reads)
    if how.check_questions is not None and any(held.to_score for held in reads.values()):
        how.check_questions(_find_questions(reads.values(), how.evaluator))
    if how.split is None or len(reads) > 1:
        versions = [_version(name, held, common, how) for name, held in reads.items()]
    else:
        ((name, held),) = reads.items()
        versions = _split_read(name, held, common, how.split, how)
    check_distinct(versions)
    return versions


def _check_apart(reads: Mapping[str, _Read]) -> None:
    """Refuse judgments without conversations beside these very conversations, to be scored anew.

    Only where a field is asked for, which judgments alone lack: without one they may be an old
    version, and the conversations the answers of a new one to the same prompts.

    Raises:
        DataError: the two are most likely one version.
    """
    for (name, judged), (other, chats) in permutations(reads.items(), 2):
        if judged.items or not chats.to_score:
            continue
        ids = {item for table in judged.tables.values() for item in table.items}
        if ids and ids <= {item.id for item in chats.items}:
            files, more = " ".join(judged.files), " ".join(chats.files)
            both = " ".join(f"x={file}" for file in (*judged.files, *chats.files))
            raise DataError(
                f"its judgments are of {counted(len(ids), 'conversation')} of {other}, which would"
                f" be scored again; if both are one version, write {both}, or {files} --items"
                f" {more}; if not, give {name} its own conversations too ({name}={files}"
                f" {name}=CHATS)",
                source=name,
            )


def _find_questions(reads: Iterable[_Read], evaluator: Evaluator | str | Path) -> list[str]:
    """The questions of judgments, and those that the evaluator answers of what it is to score."""
    if not isinstance(evaluator, Evaluator):
        evaluator = load_evaluator(evaluator)
    questions: dict[str, None] = {}
    for held in reads:
        for table in held.tables.values():
            questions |= dict.fromkeys(table.questions)
        for is_pair in sorted({isinstance(item, Pair) for item in held.to_score}):
            questions |= dict.fromkeys(_answered_by(evaluator, is_pair))
    return list(questions)


def _answered_by(evaluator: Evaluator, is_pair: bool) -> list[str]:
    """The questions that an evaluator answers of pairs, or of anything else."""
    if is_pair:
        return [question.id for question in evaluator.pair_questions]
    return [question.id for question in evaluator.questions if question != PREFERENCE]


def _split_read(
    name: str, held: _Read, common: Mapping[str, Item], by: str, how: Reading
) -> list[Version]:
    """Split one version by a field; conversations to be scored may share ids between values."""
    if held.tables:
        return split(_version(name, held, common, how), by)
    groups: dict[str, _Read] = {}
    for item in held.items:
        for value in values_of(item, by)[:1]:
            groups.setdefault(str(value), _Read()).beside.append(item)
    ids = [{item.id for item in group.items} for group in groups.values()]
    if sum(map(len, ids)) == len(set().union(*ids)):
        return split(_version(name, held, common, how), by)
    lacking = len(held.items) - sum(len(group.items) for group in groups.values())
    if lacking:
        log.warning("%s have no %s and are left out", counted(lacking, "conversation"), by)
    return [_version(value, groups[value], {}, how) for value in sorted(groups, key=_natural)]


def _version(name: str, held: _Read, common: Mapping[str, Item], how: Reading) -> Version:
    own = check_ids(held.items, name, _APART)
    if held.tables:
        table = JudgmentTable.concat(list(held.tables.values()))
        wanted = {item.id for item in held.beside} | common.keys()
        if wanted:
            table = select_items(table, wanted, name)
    elif own:
        log.info(
            "%s: no judgments, so its %s are scored by the evaluator %s",
            name,
            counted(len(own), "item"),
            how.evaluator if isinstance(how.evaluator, str | Path) else "given",
        )
        table = score(list(own.values()), evaluator=how.evaluator, quiet=how.quiet)
    else:
        raise DataError("neither judgments nor conversations are here", source=name)
    shared = {item: common[item] for item in table.items if item in common and item not in own}
    sources = {source: judged.items for source, judged in held.tables.items()}
    return Version(name, table, {**own, **shared}, sources)


def _add(source: Any, name: str, held: _Read) -> None:
    """Add the judgments of a source, or its conversations."""
    found = read_any(source, name)
    if isinstance(found, Items):
        held.beside += found
        return
    held.tables[_key(source)] = judgments_of(found)
    items = source_of(source)
    if items.paths:
        held.inside += items_beside(items, None)
    elif not is_table(items.source):
        held.inside += [row for row in items.records() if not isinstance(row, Judgment)]


def _key(source: Any) -> str:
    """Return what a source is known by: its file as it truly lies, or its place in memory."""
    paths = files_in(source)
    if len(paths) != 1:
        return f"{named(source)} at {id(source):x}"
    text = paths[0]
    if not os.path.exists(text):
        return text
    return os.path.realpath(os.path.join(text, "judgments.jsonl") if os.path.isdir(text) else text)


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

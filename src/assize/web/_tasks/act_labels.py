"""A judge's acts and maxims, read from its judgments, to be checked by people.

Who reads a task's items puts the labels into them (`metadata.checked_labels`): they are part of
what is shown, are kept with it, and an answer such as "right" means them for ever, whatever
becomes of the judge's file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from assize.acts._annotations import acts_in, maxims_in
from assize.acts._taxonomy import Taxonomy, load_taxonomy
from assize.base.conversation import Continuation, Conversation, Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Order
from assize.formats import read_judgments
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.settings import Settings, settings_of

Checked = Conversation | Pair
T = TypeVar("T", bound=Checked)
GOLD = "gold"
LABELS = "checked_labels"
"""In an item's metadata: `judge`, and its `acts` or `maxims` as a judgment's details hold them."""


class LabelsSettings(Settings):
    """Of a task that checks a judge's labels."""

    judgments: list[str]  # files that hold them in their details
    judge: str = ""  # whose they are; may be left out where there is one
    taxonomy: str = "iso-24617-2"  # a shipped one's name, or a file of the project
    question: str = ""  # of the judge, where it answers several


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn that the judge was shown, and what it says that the turn does.

    Args:
        turn: counted from 0 over all turns of the item, of a pair over context, a and b.
        acts: `Dimension: Function`.
    """

    turn: int
    acts: tuple[str, ...]


def labelled(item: Item) -> Checked:
    """The item, which has turns that can be labelled.

    Raises:
        DataError: it is a continuation.
    """
    if isinstance(item, Continuation):
        raise DataError(f"{item.id!r} is a continuation, not a conversation or a pair")
    return item


def taxonomy_of(task: Task) -> Taxonomy:
    """The taxonomy of the task's settings.

    Raises:
        ConfigError: there is none of that name.
    """
    named = settings_of(task, LabelsSettings).taxonomy
    if named.endswith(".toml"):
        return load_taxonomy(task.file(named))
    return load_taxonomy(named)


def with_acts(task: Task, item: Checked) -> Checked:
    """The item with the judge's acts, as its file has them now.

    Raises:
        DataError: the judge has no valid acts of the item.
    """
    acts = {one.turn: [act.split(": ", 1) for act in one.acts] for one in _acts(task, item)}
    return _with(task, item, stored_acts(item, acts))


def with_maxims(task: Task, item: Pair) -> Pair:
    """The pair with the judge's label of each maxim, as its file has them now.

    Raises:
        DataError: the judge has not labelled all maxims of the pair.
    """
    row = rows_of_judge(task).get(item.id)
    held = None if row is None else maxims_in(row)
    if held is None:
        raise DataError(f"{judge_of(task)!r} has no maxims of {item.id!r}")
    return _with(task, item, {"maxims": dict(held.maxims)})


def spoken_in(task: Task, item: Checked) -> list[Spoken]:
    """The judge's acts of every turn that it labelled, in order, as the item holds them.

    Raises:
        DataError: they are no valid acts of the item.
    """
    held = labels_in(item)
    details = {name: held[name] for name in held if name != "judge"}
    return _spoken(task, item, judge_in(item), details)


def maxims_of(item: Pair) -> Mapping[str, str]:
    """The judge's label of each maxim, as the pair holds it."""
    maxims: Mapping[str, str] = labels_in(item)["maxims"]
    return maxims


def judge_in(item: Item) -> str:
    """The judge whose labels the item holds."""
    return str(labels_in(item)["judge"])


def labels_in(item: Item) -> Mapping[str, Any]:
    """The labels that people are shown with an item."""
    held: Mapping[str, Any] = item.metadata[LABELS]
    return held


def stored_acts(item: Checked, said: Mapping[int, Any]) -> dict[str, Any]:
    """Acts by turn, as a judgment's details hold them: null where nothing is said of a turn."""
    first = min(said, default=0)
    left_out = {"left_out_turns": first} if first else {}
    if isinstance(item, Conversation):
        return {"acts": {"turns": _between(said, first, len(item.turns))}, **left_out}
    a = len(item.context)
    b = a + len(item.a)
    acts = {
        "context": _between(said, first, a),
        "a": _between(said, a, b),
        "b": _between(said, b, b + len(item.b)),
    }
    return {"acts": acts, **left_out}


def _between(said: Mapping[int, Any], start: int, end: int) -> list[Any]:
    return [said.get(turn) for turn in range(start, end)]


def _with(task: Task, item: T, labels: Mapping[str, Any]) -> T:
    held = {"judge": judge_of(task), **labels}
    return replace(item, metadata={**item.metadata, LABELS: held})


def _acts(task: Task, item: Checked) -> list[Spoken]:
    """The judge's acts as its file has them now."""
    judge, row = judge_of(task), rows_of_judge(task).get(item.id)
    if row is None:
        raise DataError(f"{judge!r} has no acts of {item.id!r}")
    return _spoken(task, item, judge, row.details, row.order)


def judge_of(task: Task) -> str:
    """The judge whose labels are checked.

    Raises:
        DataError: it labelled nothing, or several did and none is named.
    """
    given = settings_of(task, LabelsSettings)
    judges = sorted(_rows(task))
    if given.judge:
        if given.judge not in judges:
            there = ", ".join(judges) or "nobody"
            problem = f"{given.judge!r} labelled nothing there; those who did: {there}"
            raise problem_in(task, problem, "settings", "judge")
        return given.judge
    if len(judges) != 1:
        there = ", ".join(judges) or "nobody"
        problem = f"name the judge; those who labelled acts or maxims there: {there}"
        raise problem_in(task, problem, "settings", "judge")
    return judges[0]


def rows_of_judge(task: Task) -> Mapping[str, Judgment]:
    """By item the judge's first vote, which is the one that is checked."""
    return _rows(task)[judge_of(task)]


def _rows(task: Task) -> Mapping[str, Mapping[str, Judgment]]:
    given = settings_of(task, LabelsSettings)
    places = []
    for name in given.judgments:
        place = task.file(name)
        if not os.path.exists(place):
            raise problem_in(task, f"there is no {name!r}", "settings", "judgments")
        places.append(place)
    if not places:
        raise problem_in(task, "name a file of judgments", "settings", "judgments")
    return _read(tuple(places), tuple(one.stat().st_mtime_ns for one in places), given.question)


@lru_cache(maxsize=16)
def _read(
    places: tuple[Path, ...], stamps: tuple[int, ...], question: str
) -> dict[str, dict[str, Judgment]]:
    """First votes with labels, by judge and item; read once while the files stay as they are.

    The first vote is the one in order AB, or without an order, as `assize.acts.agree` has it.
    """
    found: dict[str, dict[str, Judgment]] = {}
    for place in places:
        for row in read_judgments(place):
            if row.repeat or not row.details or (question and row.question != question):
                continue
            if row.judge == GOLD or not _may_hold_labels(row.details):
                continue
            own = found.setdefault(row.judge, {})
            before = own.get(row.item)
            if before is None or (before.order == "BA" and row.order != "BA"):
                own[row.item] = row
    return found


def _may_hold_labels(details: Mapping[str, object]) -> bool:
    """Whether acts or maxims may be there: in our own shape, or as a recorded output."""
    return any(isinstance(value, str | Mapping | Sequence) for value in details.values())


def _spoken(
    task: Task,
    item: Checked,
    judge: str,
    details: Mapping[str, Any] | None,
    order: Order | None = None,
) -> list[Spoken]:
    found = acts_in(details, item, order, taxonomy_of(task))
    if found is None:
        raise DataError(f"{judge!r} has no acts of {item.id!r}")
    each = (*found.context, *found.a, *found.b)
    return [
        Spoken(turn, tuple(f"{dimension}: {function}" for dimension, function in acts))
        for turn, acts in enumerate(each, start=found.left_out)
    ]

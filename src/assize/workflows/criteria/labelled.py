"""Conversations with the label that people gave them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from assize.conversation import Conversation, Item
from assize.criteria.learning.extract import Labelled
from assize.errors import ConfigError, DataError
from assize.workflows.reading import log

_NAMED = 3  # labels without a conversation that a message names


class ItemLabels(Protocol):
    """A dict from a conversation's id to whether it is good."""

    def __getitem__(self, id: str, /) -> bool:
        """Whether it is good; KeyError where it has no label."""
        ...

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        ...


def labelled_items(
    items: Iterable[Item], label: str | ItemLabels, *, skip: bool = False
) -> list[Labelled]:
    """The conversations that have a label, in their order.

    The log says how many have none, and which labels belong to no conversation.

    Args:
        skip: pass over what is no conversation, or has an id that was there before.

    Raises:
        DataError: an item is no conversation, no label fits, or all labels are the same.
    """
    found: dict[str, Conversation] = {}
    passed = 0
    for item in items:
        if isinstance(item, Conversation) and item.id not in found and item.turns:
            found[item.id] = item
        elif skip:
            passed += 1
        else:
            raise DataError(f"{item.id}: {_problem(item)}; or pass --on-error skip")
    if passed:
        log.warning("%s items were passed over: no conversations, or ids seen before", passed)
    labels = labels_of(found, label)
    kept = [Labelled(one, labels[id]) for id, one in found.items() if id in labels]
    _check(kept, found, label)
    return kept


def _problem(item: Item) -> str:
    if not isinstance(item, Conversation):
        kind = type(item).__name__.lower()
        return f"criteria are learnt from conversations, and this is a {kind}"
    if not item.turns:
        return "the conversation has no turns"
    return "two conversations have this id; give each its own"


def labels_of(items: Mapping[str, Conversation], label: str | ItemLabels) -> dict[str, bool]:
    """Which conversations are good: the one place that reads `--label`."""
    if not isinstance(label, str):
        given = {str(id): bool(label[id]) for id in label}
        unknown = [id for id in given if id not in items]
        if unknown:
            named = ", ".join(unknown[:_NAMED]) + (", ..." if len(unknown) > _NAMED else "")
            text = "%s of %s labels name conversations that are not there (%s)"
            log.warning(text, len(unknown), len(given), named)
        return {id: good for id, good in given.items() if id in items}
    field, meanings = _spec(label)
    found = {}
    for id, one in items.items():
        said = str(one.metadata.get(field, "")).strip()
        if said in meanings:
            found[id] = meanings[said]
    return found


def _spec(label: str) -> tuple[str, dict[str, bool]]:
    """The field, and what each of its values means.

    >>> _spec("thumbs:up=1,down=0")
    ('thumbs', {'up': True, 'down': False})
    """
    field, colon, rest = label.partition(":")
    pairs = [one.rpartition("=") for one in rest.split(",")]
    if not field or not colon or any(not value or good not in "01" for value, _, good in pairs):
        raise ConfigError(f"label {label}: write FIELD:VALUE=1,VALUE=0, as thumbs:up=1,down=0")
    return field, {value.strip(): good == "1" for value, _, good in pairs}


def _check(
    kept: Sequence[Labelled], found: Mapping[str, Conversation], label: str | ItemLabels
) -> None:
    asked = label if isinstance(label, str) else "the labels"
    if not found:
        raise DataError("there is no conversation in what is given")
    if not kept:
        raise DataError(f"{asked}: none of {len(found)} conversations has a label{_fields(found)}")
    good = sum(one.good for one in kept)
    if good in (0, len(kept)):
        same = "good" if good else "bad"
        raise DataError(
            f"{asked}: all {len(kept)} labelled conversations are {same}; criteria are what tells"
            " good from bad, so give conversations of both"
        )
    if len(kept) < len(found):
        log.info("%s of %s conversations have no label", len(found) - len(kept), len(found))


def _fields(found: Mapping[str, Conversation]) -> str:
    """What metadata there is, for a message."""
    names = sorted({str(name) for one in found.values() for name in one.metadata})
    return f"; their metadata has {', '.join(names[:10])}" if names else "; they have no metadata"

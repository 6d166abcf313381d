"""Conversations with the label that people gave them."""

from __future__ import annotations

from collections.abc import Iterable

from assize.base.conversation import Conversation, Item
from assize.base.errors import DataError
from assize.criteria._learning.extract import Labelled
from assize.formats.labels import ItemLabels, labels_of
from assize.results.log import log


def labelled_items(
    items: Iterable[Item], label: str | ItemLabels, *, skip: bool = False
) -> list[Labelled]:
    """The conversations that have a label, in their order; what the labels tell is logged.

    Args:
        skip: pass over what is no conversation, or has an id that was there before.

    Raises:
        DataError: an item is no conversation, no label fits, or all labels are the same.
        ConfigError: the label says nothing.
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
    if not found:
        raise DataError("there is no conversation in what is given")
    labels = labels_of(found.values(), label)
    for note in labels.notes:
        log.info("%s", note)
    return [Labelled(one, labels.good[id]) for id, one in found.items() if id in labels.good]


def _problem(item: Item) -> str:
    if not isinstance(item, Conversation):
        kind = type(item).__name__.lower()
        return f"criteria are learnt from conversations, and this is a {kind}"
    if not item.turns:
        return "the conversation has no turns"
    return "two conversations have this id; give each its own"

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
    chats: dict[str, Conversation] = {}
    skipped = 0
    for item in items:
        if isinstance(item, Conversation) and item.turns and item.id not in chats:
            chats[item.id] = item
        elif skip:
            skipped += 1
        else:
            raise DataError(
                f"{item.id}: criteria are learnt from conversations with turns, each with an id of"
                f" its own, and this {type(item).__name__.lower()} is none, or its id was seen"
                " before; or pass --on-error skip"
            )
    if skipped:
        log.warning("%s items were passed over: no conversations, or ids seen before", skipped)
    if not chats:
        raise DataError("there is no conversation in what is given")
    labels = labels_of(chats.values(), label)
    for note in labels.notes:
        log.info("%s", note)
    return [Labelled(chats[name], labels.good[name]) for name in chats if name in labels.good]

"""The conversations that candidates and preference data are made of, scrubbed where wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.judging.asking import items_of
from assize.judging.session import Session
from assize.simulate._scrubber.scrubber import MAPPING
from assize.simulate._scrubbing import open_scrubber
from assize.simulate._settings import Scrub


@dataclass(frozen=True, slots=True)
class Chats:
    """What a run reads.

    Args:
        chats: the conversations, each with an id of its own.
        others: items that are none.
        scrubbed: placeholders by kind; None where nothing was scrubbed.
        settings: what scrubbing adds to the run's settings.
    """

    chats: Sequence[Conversation]
    others: int = 0
    scrubbed: Mapping[str, int] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def read_chats(session: Session, folder: Path, scrub: Scrub | None, *, dry: bool) -> Chats:
    """Read the conversations of a run; the mapping of placeholders is written, unless `dry`.

    Raises:
        DataError: there is no conversation, two have one id, or the terms cannot be read.
    """
    items = items_of(session, dry=dry)
    chats = [item for item in items if isinstance(item, Conversation)]
    if not chats:
        raise DataError("there is no conversation among the items; give some", source="items")
    twice = [id for id, n in Counter(chat.id for chat in chats).items() if n > 1]
    if twice:
        raise DataError(
            f"{len(twice):,} ids stand there more than once, the first {twice[0]!r}; answers are"
            " told apart by id",
            source="items",
        )
    scrubber, settings = open_scrubber(folder, scrub)
    others = len(items) - len(chats)
    if scrubber is None:
        return Chats(chats, others)
    chats = [scrubber.item(chat) for chat in chats]
    if not dry:
        scrubber.save(folder / MAPPING)
    return Chats(chats, others, dict(scrubber.counts), settings)

"""What functions take, turned into records (provisional)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from assize.formats.reading import OnReject, read, read_judgments

if TYPE_CHECKING:
    from assize.conversation import Item
    from assize.judgment import Judgment
    from assize.judgments import JudgmentTable

Items = Any
Judgments = Any


def items_from(
    given: Items,
    *,
    argument: str = "items",
    format: str | None = None,
    on_reject: OnReject | None = None,
    on_judgment: Callable[[Judgment], object] = lambda _: None,
) -> Iterator[Item]:
    """Items."""
    from assize.judgment import Judgment

    several: Iterable[Any] = [given] if isinstance(given, str | os.PathLike) else given
    for one in several:
        records = (
            read(one, format=format, on_reject=on_reject)
            if isinstance(one, str | os.PathLike)
            else [one]
        )
        for record in records:
            if isinstance(record, Judgment):
                on_judgment(record)
            else:
                yield record


def judgments_from(
    given: Judgments,
    *,
    argument: str = "judgments",
    format: str | None = None,
    on_reject: OnReject | None = None,
    questions: Iterable[Any] = (),
) -> JudgmentTable:
    """Judgments."""
    from assize.judgments import JudgmentTable

    if isinstance(given, JudgmentTable):
        return given
    several: list[Any] = [given] if isinstance(given, str | os.PathLike) else list(given)
    if several and not isinstance(several[0], str | os.PathLike):
        return JudgmentTable.of(several, questions)
    return read_judgments(several, format=format, on_reject=on_reject)

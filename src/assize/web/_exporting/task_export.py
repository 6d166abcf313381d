"""What an export of a task says of itself, and the forms that it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from assize.results import Column

Form = Literal["jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv"]
FORMS: tuple[Form, ...] = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv")


@dataclass(frozen=True, slots=True)
class TaskExport:
    """What was written of a task.

    Args:
        items: what was judged; `made` counts records that people wrote, such as chats.
        given: assignments on which somebody did something.
        apart: judgments of pilots, qualifications, gold items and worked examples, with the right
            answers, in files of their own.
        file: where the judgments stand.
    """

    judgments: int
    items: int
    made: int
    given: int
    apart: Annotated[int, Column(extra=True)]
    file: Annotated[str, Column(extra=True)]

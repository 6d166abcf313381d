"""The queue: which item a rater gets next, and what they do with it.

    next_assignment   the item left open, or a new one; or why there is none
    submit, skip      takes answers, or the reason why there are none
    undo, save_draft  opens an answer again; keeps what is filled in so far
    step              submit and the next item, in one transaction
    sync_project      tasks and items as their files have them

All take a SQLAlchemy `Connection` first and write: call them by `Store.write`.
"""

from assize.web._queue.answer import Stepped, last_answers, save_draft, skip, step, submit, undo
from assize.web._queue.assignment import (
    Assignment,
    Gone,
    Held,
    Nothing,
    NotYours,
    Refused,
    Stale,
    held,
)
from assize.web._queue.next_item import next_assignment
from assize.web._queue.participant import Participant, read_participant
from assize.web._queue.reassign import assign, reassign, set_state, withdraw
from assize.web._queue.syncing import Synced, check_project, sync_project, sync_task

__all__ = [
    "Assignment",
    "Gone",
    "Held",
    "NotYours",
    "Nothing",
    "Participant",
    "Refused",
    "Stale",
    "Stepped",
    "Synced",
    "assign",
    "check_project",
    "held",
    "last_answers",
    "next_assignment",
    "read_participant",
    "reassign",
    "save_draft",
    "set_state",
    "skip",
    "step",
    "submit",
    "sync_project",
    "sync_task",
    "undo",
    "withdraw",
]

"""Whether a rater may go on with a chat: what the task's lead decided, and what its file names now.

A paused task begins no conversation, and what was begun is finished; a closed one takes nothing
more. Where the file was changed, answers come from the systems as they are there now. A chat whose
system is gone takes no further message; whatever was said in it can be rated.
"""

from __future__ import annotations

from sqlalchemy import Connection

from assize.web._collect.settings import CollectSettings
from assize.web._queue.assignment import Why
from assize.web._queue.participant import exclusion_reason, read_participant
from assize.web._storage.chats import Chat, NotPossible
from assize.web._tasks.definition import Task

GONE = "This conversation cannot go on: its task was changed. Please end it."
_KEPT_OUT: dict[Why, str] = {
    "closed": "This task is closed: nothing more is taken. What was said before is kept.",
    "paused": "This task is paused: nothing new is begun now.",
    "not_invited": "You are no longer among this task's raters: nothing more is taken.",
    "consent": "What you agree to was changed. Read it on the task's page, then go on here.",
}


def hindrance(connection: Connection, task: Task, person: int, *, anew: bool = False) -> str:
    """Why a rater may not go on with a chat of theirs, in words for them; "" where they may.

    Args:
        anew: whether something new begins, such as another topic; a paused task has none.
    """
    why = exclusion_reason(connection, task, read_participant(connection, task, person))
    return "" if why is None or (why == "paused" and not anew) else _KEPT_OUT[why]


def check_allowed(connection: Connection, task: Task, person: int, *, anew: bool = False) -> None:
    """Raises NotPossible with the words of `hindrance`, where there are any."""
    told = hindrance(connection, task, person, anew=anew)
    if told:
        raise NotPossible(told)


def lacks_system(settings: CollectSettings, chat: Chat) -> bool:
    """Whether the task names one of the chat's systems no longer."""
    return any(settings.system(name) is None for name in chat.systems)


def least_exchanges(settings: CollectSettings, chat: Chat) -> int:
    """Messages before a chat may be ended; one is enough where there can be no more."""
    return 1 if lacks_system(settings, chat) else settings.least_exchanges

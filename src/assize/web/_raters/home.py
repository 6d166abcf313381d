"""A rater's tasks: how far they are, what is asked of them first, what waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, not_, select

from assize.web._queue import Participant, read_participant
from assize.web._queue.assignment import Why
from assize.web._queue.choose_item import count_gold_ahead
from assize.web._queue.participant import allowance_left, exclusion_reason, others_have_items
from assize.web._queue.qualifying import Grade, grade
from assize.web._storage.chats import chat_under_way, unrated
from assize.web._storage.schema import assignments, consents, discussions, items
from assize.web._tasks import Task, kind_of

COUNTED = 2_000  # items beyond which those left are said to be that many, or more
_WAITS: dict[Why | None, str] = {
    "consent": "Your consent is asked for first.",
    "paused": "Paused: nothing new is given now.",
    "closed": "Closed: nothing more is taken.",
    "failed": "The qualification was not passed.",
    "finished": "All done, thank you!",
    "wait": "What is left is with other raters; some may come back.",
    "allowance": "You have done your share, thank you!",
}
_BEGUN = "Paused: no new conversation begins. The one that you have begun you can finish."
_NOTHING = "There is nothing for you here yet."


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a rater is in a task.

    Args:
        done: items submitted; skipped ones are not in it.
        left: items that they may still get; those that others take meanwhile are in it.
        open: whether an item is before them that they have not answered.
        share: how many more they may have; None is no limit.
    """

    done: int
    skipped: int
    left: int
    open: bool = False
    share: int | None = None

    @property
    def total(self) -> int:
        """Done and left."""
        return self.done + self.left

    @property
    def words(self) -> str:
        """For people."""
        if not self.left:
            return f"{self.done:,} answered"
        more = " or more" if self.left >= COUNTED else ""
        return f"{self.done:,} of {self.total:,}{more} answered"


@dataclass(frozen=True, slots=True)
class Card:
    """A task as a rater's home shows it.

    Args:
        why: they may not work on it now; None where they may.
        ended: why there is nothing left for them; None where there is.
        begun: whether they have a conversation to finish, though the task is paused.
        discussions: ids of open discussions of items that they answered.
        grade: of the qualification, once it is over.
    """

    task: Task
    about: str
    standing: Participant
    progress: Progress
    why: Why | None
    ended: Why | None = None
    begun: bool = False
    discussions: Sequence[int] = ()
    grade: Grade | None = None

    @property
    def qualifies(self) -> bool:
        """Whether the round of known items is before them."""
        return self.task.qualification is not None and self.standing.qualified is None

    @property
    def collects(self) -> bool:
        """Whether items come from conversations that the rater has first."""
        return bool(kind_of(self.task).starts_at) and not self.progress.open

    @property
    def may_work(self) -> bool:
        """Whether an item can be asked for."""
        return self.why is None and self.ended is None

    @property
    def waits(self) -> list[str]:
        """What is to be known or done first, in words."""
        if (
            self.why is None
            and self.ended == "finished"
            and not self.progress.done + self.progress.skipped
        ):
            return [_NOTHING]
        if self.begun:
            return [_BEGUN]
        return [_WAITS[one] for one in (self.why, self.ended) if one in _WAITS] + (
            ["A qualification comes first."] if self.qualifies and self.why is None else []
        )


def cards(connection: Connection, tasks: Sequence[Task], person: int) -> list[Card]:
    """The tasks of a rater, without those that they are not invited to."""
    found = [card(connection, one, person) for one in tasks]
    return [one for one in found if one.why != "not_invited"]


def card(connection: Connection, task: Task, person: int, ended: Why | None = None) -> Card:
    """One task of a rater.

    Args:
        ended: why the queue just had nothing for them; None looks how much is left, and so does
            a task whose items come from conversations.
    """
    stands = read_participant(connection, task, person)
    far = progress(connection, task, stands)
    why = exclusion_reason(connection, task, stands)
    over = task.qualification is not None and stands.qualified is not None
    if far.open:
        ended = None
    elif ended is None or kind_of(task).starts_at:
        ended = _ended(connection, task, stands, far)
    return Card(
        task,
        task.about or kind_of(task).about,
        stands,
        far,
        why,
        ended,
        _begun(connection, task, stands, why),
        _discussed(connection, stands),
        grade(connection, task, stands) if over else None,
    )


def _ended(connection: Connection, task: Task, stands: Participant, far: Progress) -> Why | None:
    """Why nothing is left, as far as that is sure before the queue is asked.

    Where items come from conversations, there is always another one to have within the share.
    """
    if far.left:
        return None
    if task.qualification is not None and stands.qualified is None:
        return None
    starts = bool(kind_of(task).starts_at)
    if far.share == 0:
        talking = starts and chat_under_way(connection, stands.task, stands.person) is not None
        return None if talking else "allowance"
    if starts or task.gold is not None:
        return None
    return "wait" if others_have_items(connection, stands) else "finished"


def _begun(connection: Connection, task: Task, stands: Participant, why: Why | None) -> bool:
    """Whether a conversation can be finished, or rated, though the task is paused."""
    if why != "paused" or not kind_of(task).starts_at:
        return False
    mine = (connection, stands.task, stands.person)
    return unrated(*mine) is not None or chat_under_way(*mine) is not None


def progress(connection: Connection, task: Task, stands: Participant) -> Progress:
    """How far somebody is, as far as it can be known while others work too."""
    a, i = assignments.c, items.c
    mine = exists().where(a.item == i.id, a.person == stands.person)
    free = (
        select(i.id)
        .where(i.task == stands.task, i.purpose == "rate", i.open.is_(True), not_(mine))
        .limit(COUNTED)
    )
    left = connection.execute(select(func.count()).select_from(free.subquery())).scalar_one()
    reserved = connection.execute(
        select(func.count()).where(
            a.task == stands.task, a.person == stands.person, a.state == "reserved"
        )
    ).scalar_one()
    left += count_gold_ahead(connection, task, stands, left)
    share = allowance_left(connection, task, stands)
    left = left + reserved if share is None else min(left + reserved, max(share, reserved))
    return Progress(stands.done, stands.skipped, left, reserved > 0, share)


def _discussed(connection: Connection, stands: Participant) -> list[int]:
    """Discussions of items that the rater answered, that are not settled."""
    a, d = assignments.c, discussions.c
    mine = exists().where(a.item == d.item, a.person == stands.person, a.state == "done")
    asked = select(d.id).where(d.task == stands.task, d.state == "open", mine).order_by(d.id)
    return list(connection.execute(asked).scalars())


def agree(connection: Connection, task: Task, person: int, text: str, now: float) -> bool:
    """Keeps that a rater agreed to the task's consent, word for word.

    Args:
        text: the words that they were shown.

    Returns:
        Whether these are the words that are asked for now; nothing is kept of others.
    """
    if text != task.consent:
        return False
    number = read_participant(connection, task, person).task
    c = consents.c
    known = select(c.id).where(c.person == person, c.task == number, c.text == text)
    if connection.execute(known).first() is None:
        connection.execute(consents.insert().values(person=person, task=number, text=text, at=now))
    return True

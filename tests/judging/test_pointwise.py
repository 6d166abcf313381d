"""Judges that look at each response by itself."""

from __future__ import annotations

from pointwise_asked import PAIR, by_words, geval, judged, rating, rewarding

from assize.conversation import Turn
from assize.errors import ServerError
from assize.judging.judge import sees_order
from assize.judging.pointwise import text_of
from assize.judging.run import RunSettings, tasks_for
from assize.judgment import Usage
from assize.models import Reply


def test_there_is_one_task_a_pair_whatever_the_votes() -> None:
    judge = geval(by_words({"": rating(2)}))
    assert not sees_order(judge)
    tasks = list(tasks_for(judge, PAIR, RunSettings(votes=2, repeats=2)))
    assert [(task.order, task.repeat) for task in tasks] == [(None, 0), (None, 1)]


def test_a_failure_of_one_side_keeps_what_the_other_cost() -> None:
    script = by_words({"apple": ServerError("down"), "pear": Reply("1", usage=Usage(5, 0, 0.5))})
    (row,) = judged(rewarding(script))
    assert row.unscored is not None
    assert row.usage == Usage(5, 0, 0.5)


def test_whole_dialogues_are_scored_with_their_roles() -> None:
    assert text_of((Turn("user", "a"), Turn("assistant", "b"))) == "user: a\n\nassistant: b"
    assert text_of(()) == ""

"""A question asked until its answer can be read, and what is said where it cannot."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.judging.conftest import Recorded, why_unscored

from assize.base.errors import AnswerError, AuthenticationError, ServerError, TooLongError
from assize.base.judgment import Usage
from assize.judging.prompt_judge import Asked, ask_until_read, total
from assize.judging.usage_total import UsageTotal
from assize.models import Reply, Request, Scripted
from assize.models.model import messages

FIRST = Request(messages(("user", "How many?")), max_tokens=10, seed=5)


def number(text: str) -> dict[str, int]:
    if not text.isdigit():
        raise AnswerError(f"{text!r} is no number")
    return {"number": int(text)}


def ask(*said: Any, tries: int = 3) -> tuple[Asked, list[Request]]:
    """What came of it where the model says these one after the other, and what it was asked."""
    script = Recorded(*said)
    return asyncio.run(ask_until_read(Scripted(script), FIRST, number, tries)), script.seen


def test_the_first_answer_that_can_be_read_counts() -> None:
    found, seen = ask("many", "some", "3")
    assert (found.answer, found.unscored, found.raw) == ({"number": 3}, None, None)
    assert [reply.text for reply in found.replies] == ["many", "some", "3"]
    assert found.attempts == 3
    assert [(one.seed, one.sample) for one in seen] == [(5, 0), (1005, 1000), (2005, 2000)]
    # The complaint follows the first question and the last answer.
    assert [one.text for one in seen[2].messages[:2]] == ["How many?", "some"]
    assert "'some' is no number" in seen[2].messages[2].text


@pytest.mark.parametrize(
    ("said", "reason", "asked", "raw"),
    [
        (("many", "some"), "parse", 2, "some"),
        ((Reply("", finish="refused"),), "refused", 1, None),  # it is not asked again
        (("many", ServerError("down")), "server", 2, "many"),
        ((ServerError("down"),), "server", 1, None),
    ],
)
def test_without_an_answer_there_is_a_reason_and_what_was_said_before(
    said: tuple[Any, ...], reason: str, asked: int, raw: str | None
) -> None:
    found, seen = ask(*said, tries=2)
    assert (why_unscored(found), len(seen), found.raw) == (reason, asked, raw)
    replies = [one for one in said if not isinstance(one, Exception)]
    assert (found.attempts, len(found.replies)) == (len(replies), len(replies))
    assert isinstance(found.error, ServerError) == (reason == "server")


def test_an_answer_that_was_not_read_is_told_with_what_was_wrong() -> None:
    found, _ = ask("many", "some", tries=2)
    assert "in 2 tries: 'some' is no number" in str(found.unscored)


def test_an_answer_that_was_cut_off_gets_more_room() -> None:
    _, seen = ask(Reply("man", finish="length"), "3")
    assert (seen[1].max_tokens, "Be brief" in seen[1].messages[-1].text) == (40, True)


def test_a_question_without_any_reply_is_no_answer_from_the_cache() -> None:
    found, _ = ask(ServerError("down"))
    spent = UsageTotal()
    spent.add(found.usage, found.attempts)
    assert spent == UsageTotal()


@pytest.mark.parametrize("error", [AuthenticationError("no key"), TooLongError("too long")])
def test_what_concerns_more_than_this_answer_is_raised(error: Exception) -> None:
    with pytest.raises(type(error)):
        ask("many", error)


def test_a_total_without_a_price_has_none_and_is_cached_only_as_a_whole() -> None:
    priced = Usage(1, 2, 0.5, True)
    assert total([priced, priced]) == Usage(2, 4, 1.0, True)
    assert total([priced, Usage(1, 1, None, False)]) == Usage(2, 3, None, False)

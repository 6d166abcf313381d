from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from assize.base.conversation import Continuation, Turn
from assize.base.errors import AuthenticationError, ServerError
from assize.models import Message, Reply, Request
from assize.models.scripted import Script, Scripted
from assize.reference._continuations.tuning.generating import (
    CUT_OFF,
    UNSCORED,
    Generating,
    generate,
    places,
)

CONTEXT = (
    Turn("system", "Be kind"),
    Turn("user", "Hi"),
    Turn("assistant", "Yes?"),
    Turn("user", "Help"),
)
SLOT = Continuation("c/3", CONTEXT, "", ("How?",), "c", 4)


def asked(script: Script, *slots: Continuation) -> list[Continuation]:
    how = Generating(max_tokens=7, temperature=0.5, seed=3)
    return asyncio.run(generate(slots or (SLOT,), Scripted(script), "tuned", how))


def test_the_context_is_the_model_s_own_conversation() -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return " So. "

    (found,) = asked(script)
    assert (found.id, found.candidate, found.source) == ("c/3/tuned", "So.", "tuned")
    assert (found.references, found.turn) == (SLOT.references, SLOT.turn)
    (request,) = seen
    assert request.messages == (
        Message("system", "Be kind"),
        Message("user", "Hi"),
        Message("assistant", "Yes?"),
        Message("user", "Help"),
    )
    assert (request.max_tokens, request.temperature, request.seed) == (7, 0.5, 3)


def test_where_nothing_is_said_the_reason_stands_beside_an_empty_candidate() -> None:
    def broken(request: Request) -> str:
        raise ServerError("down")

    tool = replace(SLOT, context=(*CONTEXT, Turn("tool", "42")))
    for script, slot, reason in (
        (broken, SLOT, "server"),
        (lambda _: Reply("", finish="refused"), SLOT, "refused"),
        (lambda _: "  ", SLOT, "empty"),
        (lambda _: "x", tool, "tool"),
    ):
        (found,) = asked(script, slot)
        assert found.candidate == ""
        assert found.metadata[UNSCORED]["reason"] == reason


def test_an_answer_that_was_cut_off_counts_and_says_so() -> None:
    (found,) = asked(lambda _: Reply("So I", finish="length"))
    assert (found.candidate, found.metadata) == ("So I", {CUT_OFF: True})


def test_answers_come_in_the_order_of_the_places() -> None:
    slots = [replace(SLOT, id=str(n), context=(Turn("user", str(n)),)) for n in range(30)]

    async def slowly(request: Request) -> str:
        await asyncio.sleep(0.001 * (int(request.messages[-1].text) % 3))
        return request.messages[-1].text

    assert [one.candidate for one in asked(slowly, *slots)] == [str(n) for n in range(30)]


def test_a_key_that_is_refused_ends_all() -> None:
    def refused(request: Request) -> str:
        raise AuthenticationError("no key")

    with pytest.raises(AuthenticationError, match="no key"):
        asked(refused, SLOT, replace(SLOT, id="x"))


def test_each_place_stands_once_with_all_of_its_references() -> None:
    first = replace(SLOT, candidate="a", source="m")
    again = replace(SLOT, id="x", candidate="b", source="n", references=("How?", " ", "What?"))
    other = replace(SLOT, conversation="d")
    bare = replace(SLOT, references=())
    (one, two) = places([first, again, other, bare, replace(SLOT, context=())])
    assert (one.candidate, one.source, one.references) == ("", None, ("How?", "What?"))
    assert two.conversation == "d"

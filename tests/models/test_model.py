"""Requests and messages."""

from __future__ import annotations

import json

from assize.base.judgment import Usage
from assize.models import Reply, Request, Token, messages
from assize.models.model import from_value, to_text, wire


def test_messages_are_sent_as_roles_and_contents() -> None:
    said = messages(("system", "Be brief."), ("user", "Hi"))
    assert wire(said) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
    ]
    assert Request(said).characters == len("Be brief.") + len("Hi")


FULL = Reply(
    "A",
    "length",
    (Token("A", -0.5, (("A", -0.5), ("B", -1.5))),),
    Usage(7, 1),
    "tiny",
    ("seed",),
)


def test_a_stored_reply_is_free_and_says_so() -> None:
    assert from_value(json.loads(to_text(FULL)), free=True).usage == Usage(7, 1, 0.0, True)


def test_the_price_is_not_stored() -> None:
    assert "9.75" not in to_text(Reply("A", usage=Usage(7, 1, 9.75)))

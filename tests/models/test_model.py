"""Requests and messages."""

from __future__ import annotations

from assize.models import Request, messages
from assize.models.model import wire


def test_messages_are_sent_as_roles_and_contents() -> None:
    said = messages(("system", "Be brief."), ("user", "Hi"))
    assert wire(said) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
    ]
    assert Request(said).characters == len("Be brief.") + len("Hi")

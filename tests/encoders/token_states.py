"""States of tokens, where an encoder was asked for them."""

from __future__ import annotations

from assize.encoders import Encoding, TokenStates


def states_of(encoding: Encoding) -> tuple[TokenStates, ...]:
    assert encoding.tokens is not None
    return encoding.tokens

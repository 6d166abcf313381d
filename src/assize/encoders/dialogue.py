"""A dialogue as one text: how it is written, and how it is read back.

    user: How do I reset it?
    assistant: Hold the button.
     Ten seconds will do.

A turn begins its line with its role; every further line of it is set in by one space. So what
people wrote cannot pass for a turn of its own, and the text can be read back exactly: an encoder
that knows a chat template puts the turns into that, any other reads the text as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assize.base.errors import DataError

Said = tuple[str, str]
"""Role and text of a turn."""

_TURN = re.compile(r"(\w+): (.*)", re.DOTALL)


def written(turns: Iterable[Said]) -> str:
    r"""One text of some turns, from which `turns_in` gets them back.

    >>> written([("user", "Hi\nassistant: no"), ("assistant", "Yes")])
    'user: Hi\n assistant: no\nassistant: Yes'
    """
    return "\n".join(f"{role}: " + text.replace("\n", "\n ") for role, text in turns)


def turns_in(text: str) -> list[Said]:
    r"""The turns of a text that `written` made.

    Raises:
        DataError: it is no such text.

    >>> turns_in("user: Hi\n assistant: no\nassistant: Yes")
    [('user', 'Hi\nassistant: no'), ('assistant', 'Yes')]
    """
    found = []
    for part in re.split(r"\n(?! )", text) if text else ():
        turn = _TURN.fullmatch(part)
        if turn is None:
            problem = f"this encoder reads dialogues, and {part!r:.60} is no turn of one"
            raise DataError(f"{problem}; write each as assize.encoders.dialogue.written does")
        found.append((turn[1], turn[2].replace("\n ", "\n")))
    return found


def alternating(turns: Sequence[Said]) -> list[Said]:
    r"""Turns as templates that insist on order take them: the user first, then in turn.

    Neighbours of one role become one turn, a blank line between them; a dialogue that the
    assistant opens gets an empty user's turn before it.

    >>> alternating([("assistant", "Hi"), ("user", "a"), ("user", "b")])
    [('user', ''), ('assistant', 'Hi'), ('user', 'a\n\nb')]
    """
    found: list[Said] = []
    for role, text in turns:
        if found and found[-1][0] == role:
            found[-1] = (role, f"{found[-1][1]}\n\n{text}")
        else:
            found.append((role, text))
    if found and found[0][0] == "assistant":
        found.insert(0, ("user", ""))
    return found

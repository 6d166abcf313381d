"""What a prompt file's body may use of an item, and that it shows it, inside its boundary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assize.base.conversation import Continuation, Conversation, Item, Pair, Reference, Turn
from assize.base.errors import DataError
from assize.judging.boundary import fenced
from assize.judging.prompting import values_of
from assize.models import Message

SHARED = ("questions", "rules", "answer_format")

_NAMES: dict[str, tuple[str, ...]] = {
    "conversation": ("conversation",),
    "pair": ("context", "a", "b"),
    "continuation": ("context", "candidate", "references"),
}
_ANY_OF: dict[str, tuple[tuple[str, ...], ...]] = {  # of each, one text at least must be shown
    "conversation": (("conversation",),),
    "pair": (("a",), ("b",)),
    "continuation": (("candidate",),),
}
_PROBE_MARK = "0123456789abcdef"
_PROBE = re.compile(r"<probe of ([a-z]+) \d+>")


class Shown(tuple[Turn, ...]):
    """Turns that stand in a prompt between lines with the boundary.

    Printed they are fenced; they can still be counted, sliced and given to `fence`.
    """

    _said: str

    @classmethod
    def of(cls, mark: str, label: str, turns: Iterable[Turn], first: int = 0) -> Shown:
        """The turns under a label; `first` is the number of the first of them."""
        made = cls(turns)
        made._said = fenced(mark, label, made, first)
        return made

    def __str__(self) -> str:
        return f"{self._said}\n"  # what follows stands on a line of its own


def names_of(takes: str) -> tuple[str, ...]:
    """The names that a body about such an item may use."""
    return (*_NAMES[takes], "fence", "boundary", *SHARED)


_LABELS = {"context": "context", "a": "A", "b": "B", "candidate": "response"}


def shown_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of `prompting.values_of` under the names of `names_of`, ready to be printed."""
    mark = values["boundary"]
    found: dict[str, Any] = {"boundary": mark, "fence": values["fence"]}
    if "turns" in values:
        found["conversation"] = Shown.of(mark, "conversation", values["turns"])
    for name in _LABELS.keys() & values.keys():
        first = 0 if name == "context" else len(values["context"])
        found[name] = Shown.of(mark, _LABELS[name], values[name], first)
    if "human" in values:
        human = [Turn("assistant", text) for text in values["human"]]
        found["references"] = Shown.of(mark, "reference", human)
    return found


def check_shown(
    takes: str,
    fill: Callable[[Mapping[str, Any]], tuple[Message, Message]],
    failed: Callable[[str], DataError],
) -> None:
    """Fills a body in with a made-up item and looks at what it shows.

    Raises:
        DataError: what is judged is not shown, or stands outside its boundary, where it could
            give orders to the model.
    """
    item = probe(takes)
    said = "\n".join(message.text for message in fill(values_of(item, _PROBE_MARK)))
    mark = re.escape(f"[{_PROBE_MARK}]")
    outside = re.sub(rf"{mark} BEGIN ([^\n]*)\n.*?{mark} END \1", "", said, flags=re.DOTALL)
    inside = set(_PROBE.findall(said))
    for name in dict.fromkeys(_PROBE.findall(outside)):
        problem = f"the body shows {name} outside its boundary, where it could give orders"
        raise failed(f"{problem}; write {{{{ {name} }}}}, or {{{{ fence('{name}', {name}) }}}}")
    for wanted in _ANY_OF[takes]:
        if not inside & set(wanted):
            raise failed(f"the body does not show what is judged; write {{{{ {wanted[0]} }}}}")


def _turns(name: str, count: int, begins: int = 0) -> tuple[Turn, ...]:
    roles = ("user", "assistant")
    return tuple(
        Turn(
            roles[(begins + at) % 2],  # type: ignore[arg-type]
            f"<probe of {name} {2 * at}>",
            (Reference("1", "", f"<probe of {name} {2 * at + 1}>"),),
        )
        for at in range(count)
    )


def probe(takes: str) -> Item:
    """An item of this kind whose texts say where they stand."""
    if takes == "conversation":
        return Conversation("probe", _turns("conversation", 12))
    context = _turns("context", 11)
    if takes == "pair":
        return Pair("probe", context, _turns("a", 3, 1), _turns("b", 3, 1))
    return Continuation("probe", context, "<probe of candidate 0>", ("<probe of references 0>",))

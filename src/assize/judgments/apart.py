"""Questions of one name that sets of their own ask on different scales, told apart by the set.

NetSAT of a set of ten criteria is no NetSAT of a set of four. Where both stand in one run or one
table each becomes a question of its own, `NetSAT@old.yaml` and `NetSAT@new.yaml`; where one stands
alone its name stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assize.base.judgment import Question

SET = "set"  # the field of a question that says whose it is: name, and version

Differ = Callable[[Question, Question], bool]


def of_set(question: Question, name: str, version: str) -> Question:
    """A question that says to which set it belongs."""
    return replace(question, extra={**question.extra, SET: {"name": name, "version": version}})


def alike(one: Question, two: Question) -> bool:
    """Whether two questions ask the same, whichever set each belongs to."""
    return _bare(one) == _bare(two)


def _bare(one: Question) -> Question:
    return replace(one, extra={name: value for name, value in one.extra.items() if name != SET})


def _scales_differ(one: Question, two: Question) -> bool:
    return one.scale != two.scale


@dataclass
class Apart:
    """Questions that came so far; tells which names change when others come.

    Args:
        differ: whether two questions of one name must be told apart, by default where their
            scales differ.
    """

    differ: Differ = _scales_differ
    _known: dict[str, Question] = field(default_factory=dict)
    _split: set[str] = field(default_factory=set)

    def enter(self, questions: Iterable[Question]) -> tuple[dict[str, str], dict[str, str]]:
        """New names of what came before, and of what comes now.

        Only questions that both say their set get new names; of any other two the caller says
        that they differ.
        """
        before: dict[str, str] = {}
        now: dict[str, str] = {}
        for one in questions:
            earlier = self._known.get(one.id)
            both = earlier is not None and SET in one.extra and SET in earlier.extra
            if earlier is not None and both and self.differ(earlier, one):
                del self._known[one.id]
                self._split.add(one.id)
                before[one.id] = self._named(earlier)
            if one.id in self._split and SET in one.extra:
                now[one.id] = self._named(one)
            else:
                self._known.setdefault(one.id, one)
        return before, now

    def _named(self, one: Question) -> str:
        """By the set's name, and by its version too where another of that name is there."""
        said: Mapping[str, Any] = one.extra[SET]
        name = f"{one.id}@{said['name']}"
        taken = self._known.get(name)
        if taken is not None and self.differ(taken, replace(one, id=name)):
            name = f"{name} {said['version']}"
        self._known[name] = replace(one, id=name)
        return name

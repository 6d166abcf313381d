"""Who may be asked what: rules of a routing file, and what they allow.

    - who: everyone
      questions: [Q0, Q1]
      at_most: 20
    - who: [ann, dora]
      items: {metadata.language: de}
      cost: 1.5
      not: {items: [chat-17]}

A request is allowed where a rule covers it, and must keep within every rule that covers it:
limits only ever tighten, and `at_most: 0` forbids, whatever the other rules say.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.calibrate._data.features import FloatArray
from assize.formats.yaml_nodes import Fail, composed, line_of, text_in
from assize.judgments import Unit
from assize.judgments.membership import SYSTEM, Labels, is_field

if TYPE_CHECKING:
    from yaml import Node

EVERYONE = "everyone"
_PARTS = ("who", "questions", "items")
_KEYS = (*_PARTS, "at_most", "cost", "not")

_Place = tuple[str | int, ...]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Items:
    """Which items: all that is given must hold; nothing given is all of them."""

    ids: tuple[str, ...] | None = None  # some of these
    # by `system` or `metadata.NAME`, the values that it may have
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def among(self, units: Sequence[Unit], groups: Labels) -> Mask:
        """(N,) which of the units."""
        found = np.ones(len(units), dtype=bool)
        if self.ids is not None:
            wanted = set(self.ids)
            found &= np.array([item in wanted for item, _ in units], dtype=bool)
        for name, values in self.fields.items():
            found &= np.array([label in values for label in groups[name]], dtype=bool)
        return found


@dataclass(frozen=True, slots=True)
class Scope:
    """Some people (`everyone` among them for all), questions and items; None is all of them."""

    who: tuple[str, ...] | None
    questions: tuple[str, ...] | None
    items: Items
    place: _Place = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    scope: Scope  # what it covers, but for what `excluding` covers
    excluding: Scope | None = None
    at_most: int | None = None  # requests of each person that it covers; None for no limit
    cost: float | None = None  # of one request; None where it does not say


@dataclass(frozen=True, slots=True)
class Routing:
    """The rules of a file, in its order; `fail` knows their lines, `signature` what they say."""

    rules: tuple[Rule, ...]
    signature: str
    fail: Fail = field(compare=False)

    @property
    def people(self) -> tuple[str, ...]:
        """Everyone who is named to be asked, in order."""
        named = (name for rule in self.rules for name in rule.scope.who or ())
        return tuple(dict.fromkeys(name for name in named if name != EVERYONE))

    @property
    def fields(self) -> tuple[str, ...]:
        """What must be known of the items: `system`, `metadata.NAME`."""
        each = (name for one in self._scopes() for name in one.items.fields)
        return tuple(dict.fromkeys(each))

    def unknown_items(self, units: Sequence[Unit]) -> tuple[str, ...]:
        """Ids in the rules that are none of the units': elsewhere, or misspelt."""
        known = {item for item, _ in units}
        named = (name for one in self._scopes() for name in one.items.ids or ())
        return tuple(dict.fromkeys(name for name in named if name not in known))

    def _scopes(self) -> Iterator[Scope]:
        for rule in self.rules:
            yield rule.scope
            if rule.excluding is not None:
                yield rule.excluding

    def routes(
        self, units: Sequence[Unit], questions: Sequence[str], known: Sequence[str], groups: Labels
    ) -> Routes:
        """The rules over N units, some questions and P people: the known, and the named.

        Args:
            known: raters of the calibrators; whoever else is named is a new one.
            groups: by each of `fields`, the group (N,) of every unit.

        Raises:
            DataError: a rule names a question that is not among these, or covers nothing.
        """
        people = tuple(dict.fromkeys((*known, *self.people)))
        covered = []
        for rule in self.rules:
            whole = self._cube(rule.scope, units, questions, people, groups)
            if not whole.any():
                seen = _seen(rule, units, groups)
                problem = f"this rule is about none of the {len(units):,} items{seen};"
                problem += " mend it, or take the rule out"
                raise self.fail(problem, *rule.scope.place, "items")
            if rule.excluding is not None:
                whole &= ~self._cube(rule.excluding, units, questions, people, groups)
            if not whole.any():
                problem = "this leaves nobody to be asked anything; narrow it, or take the rule out"
                raise self.fail(problem, *rule.scope.place, "not")
            covered.append(whole)
        return Routes(people, tuple(self.rules), tuple(questions), np.stack(covered))

    def _cube(
        self,
        scope: Scope,
        units: Sequence[Unit],
        questions: Sequence[str],
        people: Sequence[str],
        groups: Labels,
    ) -> Mask:
        """(Q, N, P) what a scope covers."""
        for name in scope.questions or ():
            if name not in questions:
                raise self.fail(
                    f"no calibrator here predicts {name!r}; predicted are {', '.join(questions)}",
                    *scope.place,
                    "questions",
                )
        asked = np.array([scope.questions is None or one in scope.questions for one in questions])
        all_ = scope.who is None or EVERYONE in scope.who
        who = np.array([all_ or one in (scope.who or ()) for one in people])
        items = scope.items.among(units, groups)
        return np.asarray(asked[:, None, None] & items[:, None] & who)


def _seen(rule: Rule, units: Sequence[Unit], groups: Labels) -> str:
    """What the items have instead, for a message."""
    items = rule.scope.items
    for name in items.fields:
        values = sorted({label for label in groups[name] if label is not None})
        return f" ({name} is {', '.join(values[:6])} here)"
    return f" (there is {units[0][0]!r}, for instance)" if units else ""


@dataclass(frozen=True, slots=True, eq=False)
class Routes:
    """What rules cover."""

    people: tuple[str, ...]  # (P,) who may be asked something
    rules: tuple[Rule, ...]
    questions: tuple[str, ...]  # (Q,)
    covered: Mask  # (G, Q, N, P) by rule

    @property
    def allowed(self) -> Mask:
        """(Q, N, P) covered by a rule, and forbidden by none."""
        never = [rule.at_most == 0 for rule in self.rules]
        return np.asarray(self.covered.any(axis=0) & ~self.covered[never].any(axis=0))

    @property
    def cost(self) -> FloatArray:
        """(Q, N, P) by the first rule that covers it and says so; else 1."""
        found = np.ones(self.covered.shape[1:])
        for rule, covered in zip(reversed(self.rules), self.covered[::-1], strict=True):
            if rule.cost is not None:
                found[covered] = rule.cost
        return found


def load_routing(source: str) -> Routing:
    """The routing of a YAML file or URL.

    Raises:
        DataError: it cannot be read, or is no routing; says line, rule, what was received
            and what is allowed.
    """
    node, value = composed(text_in(source), source)
    return routing_of(value, _failing(node, source))


def _failing(node: Node, source: str) -> Fail:
    def fail(problem: str, *place: str | int) -> DataError:
        names = [
            f"rule {part + 1}" if n == 0 and isinstance(part, int) else str(part)
            for n, part in enumerate(place)
        ]
        field = ", ".join(names) or None
        return DataError(problem, source=source, line=line_of(node, place), field=field)

    return fail


def routing_of(value: Any, fail: Fail) -> Routing:
    """The routing that a file's nested text says."""
    if not isinstance(value, list) or not value:
        raise fail("expected a list of rules, such as `- who: everyone`")
    rules = tuple(_rule(one, fail, (n,)) for n, one in enumerate(value))
    return Routing(rules, sign_text(json.dumps(value)), fail)


def _rule(value: Any, fail: Fail, place: _Place) -> Rule:
    _check_keys(value, _KEYS, fail, place)
    if "who" not in value:
        raise fail("`who` is missing: name raters, or everyone", *place)
    excluding = None
    if "not" in value:
        inside = (*place, "not")
        _check_keys(value["not"], _PARTS, fail, inside)
        if not value["not"]:
            raise fail("names nothing to leave out; give who, questions or items", *inside)
        excluding = _scope(value["not"], fail, inside)
    return Rule(
        _scope(value, fail, place),
        excluding,
        _limit(value["at_most"], fail, place) if "at_most" in value else None,
        _price(value["cost"], fail, place) if "cost" in value else None,
    )


def _check_keys(value: Any, allowed: Sequence[str], fail: Fail, place: _Place) -> None:
    if not isinstance(value, Mapping):
        raise fail(f"received {_short(value)}; expected {', '.join(allowed)}", *place)
    for name in value:
        if name not in allowed:
            raise fail(f"no such key; allowed are {', '.join(allowed)}", *place, name)


def _scope(value: Mapping[str, Any], fail: Fail, place: _Place) -> Scope:
    return Scope(
        _names(value, "who", fail, place),
        _names(value, "questions", fail, place),
        _items(value, fail, place),
        place,
    )


def _names(value: Mapping[str, Any], key: str, fail: Fail, place: _Place) -> tuple[str, ...] | None:
    """One name or a list of them; None where the key is absent."""
    if key not in value:
        return None
    given = value[key]
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not names:
        raise fail(f"received {_short(given)}; expected a name or a list of them", *place, key)
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise fail(f"received {_short(name)}; expected a name", *place, key)
    return tuple(name.strip() for name in names)


def _items(value: Mapping[str, Any], fail: Fail, place: _Place) -> Items:
    given = value.get("items")
    if not isinstance(given, Mapping):
        return Items(_names(value, "items", fail, place))
    if not given:
        raise fail("names no item; give ids, system or metadata.NAME", *place, "items")
    fields = {}
    for name in given:
        inside = (*place, "items")
        if name == SYSTEM or is_field(name):
            fields[name] = _names(given, name, fail, inside) or ()
        else:
            problem = "no such key; allowed are system, metadata.NAME; or a list of ids"
            raise fail(problem, *inside, name)
    return Items(None, fields)


def _limit(given: Any, fail: Fail, place: _Place) -> int:
    if not isinstance(given, str) or not given.isdecimal():
        problem = f"received {_short(given)}; expected a whole number, 0 or more"
        raise fail(problem, *place, "at_most")
    return int(given)


def _price(given: Any, fail: Fail, place: _Place) -> float:
    try:
        cost = float(given)
    except (TypeError, ValueError):
        cost = math.nan
    if not 0 < cost < math.inf:
        raise fail(f"received {_short(given)}; expected a number above 0", *place, "cost")
    return cost


def _short(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else text[:60] + "..."

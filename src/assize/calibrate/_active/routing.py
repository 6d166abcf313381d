"""Who may be asked to rate what: the rules of a routing file.

    - who: everyone
      questions: [Q0, Q1]
      at_most: 20
    - who: [ann, dora]
      items: {metadata.language: de}
      cost: 1.5
      not: {items: [chat-17]}

A request is allowed if at least one rule covers it and every rule that covers it has room left.
Limits only ever tighten: `at_most: 0` forbids, whatever the other rules say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    StringConstraints,
    model_validator,
)

from assize.base.signature import sign_text
from assize.calibrate._data.features import FloatArray
from assize.formats.yaml_nodes import Fail, text_in, validated
from assize.judgments import Unit
from assize.judgments.membership import SYSTEM, Labels, is_field

EVERYONE = "everyone"

Mask = NDArray[np.bool_]


def _as_list(value: Any) -> Any:
    """Read one name as a list of one."""
    return [value] if isinstance(value, str) else value


def _as_filter(value: Any) -> Any:
    """Read ids as a filter by id."""
    if value == {}:
        raise ValueError("names no item; give ids, system or metadata.NAME")
    return value if isinstance(value, dict) else {"ids": value}


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_as_list), Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Axes:
    """What requests are made of: questions Q, items N and people P.

    Args:
        groups: by field of the items, the group (N,) of each.
    """

    questions: Sequence[str]
    units: Sequence[Unit]
    people: Sequence[str]
    groups: Labels

    @property
    def shape(self) -> tuple[int, int, int]:
        """(Q, N, P)."""
        return len(self.questions), len(self.units), len(self.people)


class ItemFilter(BaseModel):
    """Selects items by id, by `system` and by `metadata.NAME`; all conditions must hold."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, Names] = Field(init=False)

    ids: Names | None = None

    @model_validator(mode="after")
    def _check_fields(self) -> ItemFilter:
        for name in self.fields:
            if name != SYSTEM and not is_field(name):
                raise ValueError(f"{name!r} is no field; allowed are system, metadata.NAME, or ids")
        return self

    @property
    def fields(self) -> dict[str, tuple[str, ...]]:
        """The allowed groups of each field."""
        return self.__pydantic_extra__

    def mask(self, axes: Axes) -> Mask:
        """Return which items (N,) are selected."""
        selected = np.ones(len(axes.units), dtype=bool)
        if self.ids is not None:
            selected &= np.isin([item for item, _ in axes.units], self.ids)
        for name, allowed in self.fields.items():
            selected &= np.array([group in allowed for group in axes.groups[name]], dtype=bool)
        return selected

    def describe_items(self, axes: Axes) -> str:
        """Return what the items have instead, for a message."""
        for name in self.fields:
            groups = sorted({group for group in axes.groups[name] if group is not None})
            return f" ({name} is {', '.join(groups[:6])} here)"
        return f" (there is {axes.units[0][0]!r}, for instance)" if axes.units else ""


class Scope(BaseModel):
    """People, questions and items; a part that is not given is all of them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    who: Names | None = None
    questions: Names | None = None
    items: Annotated[ItemFilter, BeforeValidator(_as_filter)] = ItemFilter()

    def mask(self, axes: Axes) -> Mask:
        """Return which requests (Q, N, P) are in the scope."""
        questions = axes.questions if self.questions is None else self.questions
        people = axes.people if self.who is None or EVERYONE in self.who else self.who
        by_question = np.isin(axes.questions, questions)
        by_person = np.isin(axes.people, people)
        return by_question[:, None, None] & self.items.mask(axes)[:, None] & by_person


class Rule(Scope):
    """What may be asked, but for the exception in `not`."""

    at_most: int | None = Field(None, ge=0)  # requests of one person; None: no limit
    cost: float | None = Field(None, gt=0, allow_inf_nan=False)  # of one request
    exception: Scope | None = Field(None, alias="not")

    @model_validator(mode="after")
    def _check_parts(self) -> Rule:
        if self.who is None:
            raise ValueError("`who` is missing: name raters, or everyone")
        if self.exception == Scope():
            raise ValueError("`not` names nothing to leave out; give who, questions or items")
        return self


class _Rules(RootModel[tuple[Rule, ...]]):
    root: Annotated[tuple[Rule, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What may be asked for.

    Args:
        possible: (Q, N, P) what there is.
        allowed: (Q, N, P) what may be asked of it.
        cost: (Q, N, P) of a request; None where all cost the same.
        limits: which requests (Q, N, P) each limit covers, and how many of them one person gets.
    """

    axes: Axes
    possible: Mask
    allowed: Mask
    cost: FloatArray | None = None
    limits: Sequence[tuple[Mask, int]] = ()


@dataclass(frozen=True, slots=True)
class Routing:
    """The rules of a file, in its order; `fail` knows their lines."""

    rules: tuple[Rule, ...]
    signature: str
    fail: Fail = field(compare=False)

    @property
    def people(self) -> tuple[str, ...]:
        """Everyone who is named to be asked, in order."""
        names = (name for rule in self.rules for name in rule.who or () if name != EVERYONE)
        return tuple(dict.fromkeys(names))

    @property
    def fields(self) -> tuple[str, ...]:
        """What must be known of the items: `system`, `metadata.NAME`."""
        return tuple(dict.fromkeys(name for items in self._filters() for name in items.fields))

    def unknown_items(self, units: Sequence[Unit]) -> tuple[str, ...]:
        """Return ids in the rules that no item has."""
        known = {item for item, _ in units}
        names = (name for items in self._filters() for name in items.ids or ())
        return tuple(dict.fromkeys(name for name in names if name not in known))

    def _filters(self) -> list[ItemFilter]:
        scopes = [scope for rule in self.rules for scope in (rule, rule.exception)]
        return [scope.items for scope in scopes if scope is not None]

    def candidates(self, axes: Axes) -> Candidates:
        """Apply the rules.

        Raises:
            DataError: a rule names a question that is not among these, or covers nothing.
        """
        allowed, forbidden = np.zeros((2, *axes.shape), dtype=bool)
        cost = np.full(axes.shape, np.nan)
        limits = []
        for number, rule in enumerate(self.rules):
            covered = self._covered(number, rule, axes)
            allowed |= covered
            if rule.cost is not None:
                cost[covered & np.isnan(cost)] = rule.cost  # the first rule with a cost counts
            if rule.at_most == 0:
                forbidden |= covered
            elif rule.at_most is not None:
                limits.append((covered, rule.at_most))
        possible = np.ones(axes.shape, dtype=bool)
        return Candidates(axes, possible, allowed & ~forbidden, np.nan_to_num(cost, nan=1), limits)

    def _covered(self, number: int, rule: Rule, axes: Axes) -> Mask:
        """Return the requests (Q, N, P) that a rule covers."""
        for scope in (rule, rule.exception):
            for name in () if scope is None else scope.questions or ():
                if name not in axes.questions:
                    problem = (
                        f"no calibrator here predicts {name!r}; predicted are"
                        f" {', '.join(axes.questions)}"
                    )
                    raise self.fail(problem, number, "questions")
        covered = rule.mask(axes)
        if not covered.any():
            instead = rule.items.describe_items(axes)
            problem = (
                f"this rule is about none of the {len(axes.units):,} items{instead}; mend it, or"
                " take the rule out"
            )
            raise self.fail(problem, number, "items")
        if rule.exception is not None:
            covered &= ~rule.exception.mask(axes)
        if not covered.any():
            problem = "this leaves nobody to be asked anything; narrow it, or take the rule out"
            raise self.fail(problem, number, "not")
        return covered


def load_routing(source: str) -> Routing:
    """Read a routing file from a path or URL.

    Raises:
        DataError: it cannot be read, or is no routing; says line, rule, what was received and what
            is allowed.
    """
    return parse_routing(text_in(source), source)


def parse_routing(text: str, source: str) -> Routing:
    """Read the rules in a YAML text; see `load_routing`."""
    parts: dict[str | int, type[BaseModel]] = {"not": Scope, "items": ItemFilter}
    parts |= dict.fromkeys(range(len(text)), Rule)
    rules, value, fail = validated(text, source, _Rules, parts)
    return Routing(rules.root, sign_text(json.dumps(value)), fail)

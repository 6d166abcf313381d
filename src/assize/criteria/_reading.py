"""Files of criteria and of domains: YAML that people read and edit, in and out.

    criteria:
      - sat: The assistant names the line that fails.
      - dsat: The user asks the same question again.
        about: user
        maxim: Relevance

A criterion needs no more than its polarity and text, so one written by hand is one line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from assize.base.errors import ConfigError
from assize.base.signature import content_hash
from assize.criteria._criterion import (
    NETSAT,
    Conduct,
    CriteriaSet,
    Criterion,
    Domain,
    Labelling,
    Maxim,
    Merged,
    Polarity,
    Scale,
)
from assize.formats.yaml_nodes import Fail, text_in, validated

FILE = "criteria.yaml"  # as they are named in a folder
_OWN = ("sat", "dsat", "id")

LONGEST = 1_000  # characters of a statement
_ID = r"^[A-Za-z0-9][A-Za-z0-9_-]*$"
_Name = Annotated[str, Field(pattern=_ID)]
_Words = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class _Criterion(_Strict):
    sat: _Words | None = None
    dsat: _Words | None = None
    id: _Name | None = None
    about: Conduct | None = None
    maxim: Maxim | None = None
    batch: int | None = Field(None, ge=1)
    conversations: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    merged: tuple[Merged, ...] = ()
    author: _Words = "person"


class _File(_Strict):
    name: _Name = "criteria"
    domain: Domain | None = None
    model: _Words | None = None
    scale: Scale = "likert"
    labelling: Labelling | None = None
    signature: str = ""
    criteria: list[_Criterion] = Field(min_length=1)


_PARTS: Mapping[str | int, type] = {
    "domain": Domain,
    "labelling": Labelling,
    "criteria": _Criterion,
    "merged": Merged,
}


def load_criteria(path: str) -> CriteriaSet:
    """The criteria of a file, a URL or a folder's `criteria.yaml`; see `parse_criteria`."""
    place = file_of(path)
    return parse_criteria(text_in(place), place)


def file_of(path: str) -> str:
    """The file in which a path's criteria stand: that of a folder, or the path itself."""
    return str(Path(path) / FILE) if Path(path).is_dir() else path


def criteria_in(folder: str, *, encoder: str | None = None) -> CriteriaSet:
    """The criteria of a folder's `criteria.yaml`; raises ConfigError where an encoder is given."""
    if encoder is not None:
        raise ConfigError(f"{folder} holds criteria, which need no encoder: leave it out")
    return load_criteria(str(Path(folder) / FILE))


def parse_criteria(text: str, source: str) -> CriteriaSet:
    """The criteria that a file's text holds.

    Raises:
        DataError: it is no YAML or no set of criteria; says line, place, what was received and
            what is allowed.
    """
    record, _, fail = validated(text, source, _File, _PARTS)
    criteria: dict[str, Criterion] = {}
    for number, entry in enumerate(record.criteria):
        criterion = _criterion(entry, fail, number)
        if criterion.id in criteria or criterion.id == NETSAT:
            twin = criteria.get(criterion.id)
            problem = f"the id {criterion.id!r} is taken; give each criterion its own"
            if twin is not None and twin.text.split() == criterion.text.split():
                problem = "the same criterion stands there twice"
            raise fail(problem, "criteria", number)
        criteria[criterion.id] = criterion
    window = record.labelling
    low, high = (None, None) if window is None else (window.low, window.high)
    if low is not None and high is not None and low > high:
        raise fail(f"low is {low:g} and high {high:g}; low is at most high", "labelling", "low")
    return CriteriaSet(
        record.name, tuple(criteria.values()), record.domain, record.model, record.scale, window
    )


def _criterion(entry: _Criterion, fail: Fail, number: int) -> Criterion:
    if (entry.sat is None) == (entry.dsat is None):
        raise fail("expected either sat: or dsat:, with the criterion's text", "criteria", number)
    polarity: Polarity = "sat" if entry.sat else "dsat"
    text = entry.sat or entry.dsat or ""
    if len(text) > LONGEST:
        problem = f"received {len(text):,} characters; a statement has at most {LONGEST:,}"
        raise fail(problem, "criteria", number, polarity)
    rest = {name: getattr(entry, name) for name in _Criterion.model_fields if name not in _OWN}
    return Criterion(id=entry.id or id_of(polarity, text), text=text, polarity=polarity, **rest)


def id_of(polarity: str, text: str) -> str:
    """The id of a criterion that was given none: of its words, whatever their spacing.

    >>> id_of("sat", "Helps.") == id_of("sat", " Helps. ")
    True
    """
    return f"{polarity}-{content_hash(' '.join(text.split()), digits=6)}"


def load_domain(path: str) -> Domain:
    """The domain of a file: `task`, `assistant`, `user`, `outcome`; only the first is needed.

    Raises:
        DataError: as `parse_criteria`.
    """
    return validated(text_in(path), path, Domain)[0]


def criteria_text(given: CriteriaSet) -> str:
    """The file of a set; `parse_criteria` reads it back. Empty fields are left out."""
    import yaml

    head = _filled(given, "name", "model", "scale")
    if given.domain is not None:
        head["domain"] = _filled(given.domain)
    if given.labelling is not None:
        head["labelling"] = _filled(given.labelling)
    head["signature"] = given.wording
    head["criteria"] = [_entry(one) for one in given.criteria]
    how: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": 100}
    text: str = yaml.dump(head, Dumper=_in_line(yaml.SafeDumper), **how)
    return re.sub(r"\n(?=- (?:sat|dsat):)", "\n\n", text)


def _in_line(dumper: type[Any]) -> type[Any]:
    """A dumper that writes lists of names on one line: a pool has many of them."""

    class Dumper(dumper):  # type: ignore[misc]
        def represent_list(self, data: list[Any]) -> Any:
            names = all(isinstance(one, str) for one in data)
            return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=names)

    Dumper.add_representer(list, Dumper.represent_list)
    return Dumper


def _entry(criterion: Criterion) -> dict[str, Any]:
    names = "about", "maxim", "batch", "conversations", "patterns"
    entry = {criterion.polarity: criterion.text, "id": criterion.id, **_filled(criterion, *names)}
    if criterion.merged:
        entry["merged"] = [_filled(merged) for merged in criterion.merged]
    return entry | _filled(criterion, "author")


def _filled(record: Any, *names: str) -> dict[str, Any]:
    """The fields of a record that are not empty; all of them, where none is named."""
    chosen = names or tuple(one.name for one in fields(record))
    values: Mapping[str, Any] = {name: getattr(record, name) for name in chosen}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value is not None and value not in ("", ())
    }

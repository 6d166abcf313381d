"""The taxonomy: which dialogue acts there are. A file, which users replace or extend.

Shipped are `iso-24617-2`, which AMULET uses, `intents`, which AMULET observed first, and
`requests`. A user's file is called `taxonomy.toml` and stands in the folder given as `--prompts`;
its `extends` names a shipped one, or a file beside it. A run keeps the taxonomy that its judges
were asked with (`to_record`).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from assize.base.errors import ConfigError
from assize.base.signature import content_hash

FOLDER = Path(__file__).with_name("taxonomies")
DEFAULT = "iso-24617-2"
FILE = "taxonomy.toml"

_MOST_EXTENSIONS = 8
_FIELDS = {"name", "about", "extends", "examples", "rules", "dimensions", "functions"}


@dataclass(frozen=True, slots=True)
class Dimension:
    """What part of communication an act is about; `used` says that judges are offered it."""

    name: str
    definition: str
    used: bool = True


@dataclass(frozen=True, slots=True)
class Function:
    """What an act does."""

    name: str  # unique in the taxonomy
    definition: str  # for the judge
    group: str  # the heading under which it stands
    dimension: str | None = None  # the only one in which it can be said; None where it is general


@dataclass(frozen=True)
class Taxonomy:
    """Dimensions and functions.

    Args:
        name, about: for people.
        dimensions, functions: in the order of the file.
        rules: sentences for the judge.
        examples: the file of judged examples in its terms; "" for none.
    """

    name: str
    about: str
    dimensions: tuple[Dimension, ...]
    functions: tuple[Function, ...]
    rules: tuple[str, ...] = ()
    examples: str = ""

    @cached_property
    def acts(self) -> dict[str, tuple[str, str]]:
        """What a judge may answer, `Dimension: Function`, with its two parts."""
        return {
            f"{dimension.name}: {function.name}": (dimension.name, function.name)
            for dimension in self.dimensions
            if dimension.used
            for function in self.functions
            if function.dimension in (None, dimension.name)
        }

    @cached_property
    def _functions(self) -> dict[str, str]:
        return {_folded(one.name): one.name for one in self.functions}

    @cached_property
    def _dimensions(self) -> dict[str, str]:
        return {_folded(one.name): one.name for one in self.dimensions}

    def function(self, written: str) -> str | None:
        """The function meant, whatever its case, blanks and hyphens; None if there is none.

        >>> load_taxonomy().function("auto positive")
        'Auto-Positive'
        """
        return self._functions.get(_folded(written))

    def dimension(self, written: str) -> str | None:
        """The dimension meant; None if there is none."""
        return self._dimensions.get(_folded(written))

    def prompt_values(self) -> dict[str, Any]:
        """What a prompt shows of it: used dimensions, functions by group, rules."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for one in self.functions:
            shown = {"name": one.name, "definition": one.definition, "dimension": one.dimension}
            groups.setdefault(one.group, []).append(shown)
        return {
            "name": self.name,
            "dimensions": {one.name: one.definition for one in self.dimensions if one.used},
            "groups": groups,
            "rules": list(self.rules),
        }

    def to_record(self) -> dict[str, Any]:
        """All that it says, as a file would; `taxonomy_from` reads it back."""
        groups: dict[str, dict[str, Any]] = {}
        for one in self.functions:
            group = groups.setdefault(one.group, {})
            if one.dimension is None:
                group["general"] = True
                group[one.name] = one.definition
            else:
                group[one.name] = {"definition": one.definition, "dimension": one.dimension}
        return {
            "name": self.name,
            "about": self.about,
            "examples": self.examples,
            "rules": list(self.rules),
            "dimensions": {
                one.name: {"definition": one.definition, "used": one.used}
                for one in self.dimensions
            },
            "functions": groups,
        }

    @cached_property
    def hash(self) -> str:
        """Twelve digits for what it says."""
        return content_hash(json.dumps(self.prompt_values()), digits=12)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def load_taxonomy(name: str | Path = DEFAULT) -> Taxonomy:
    """A shipped taxonomy by its name, or a file `*.toml` by its path.

    Raises:
        ConfigError: there is none, or the file is not a taxonomy; says what is wrong where.

    >>> len(load_taxonomy().functions)
    44
    """
    return _loaded(_place(name, Path.cwd()))


@lru_cache(maxsize=16)
def _loaded(path: Path) -> Taxonomy:
    return _checked(_merged(path, _MOST_EXTENSIONS), path)


def taxonomy_from(record: Mapping[str, Any], where: Path) -> Taxonomy:
    """The taxonomy that `to_record` gave; `where` is the file that errors name."""
    return _checked(_table(record, where, "taxonomy", _FIELDS), where)


def shipped() -> list[str]:
    """The names of the shipped taxonomies."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def taxonomy_in(prompts: Path | None, name: str = DEFAULT) -> Taxonomy:
    """The user's `taxonomy.toml` where the folder of prompts has one, else the shipped one."""
    if prompts is not None and (prompts / FILE).is_file():
        return load_taxonomy(prompts / FILE)
    return load_taxonomy(name)


def _place(name: str | Path, beside: Path) -> Path:
    if isinstance(name, Path) or str(name).endswith(".toml"):
        return beside / name
    if name not in shipped():
        known = ", ".join(shipped())
        raise ConfigError(f"no taxonomy {name!r}; known are {known}, or give a file *.toml")
    return FOLDER / f"{name}.toml"


def _merged(path: Path, left: int) -> dict[str, Any]:
    """The file's fields over those of the one that it extends, tables merged by name."""
    try:
        own = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{path} is no TOML file: {error}") from error
    unknown = sorted(own.keys() - _FIELDS)
    if unknown:
        raise ConfigError(f"{path}: unknown {', '.join(unknown)}; it may have {', '.join(_FIELDS)}")
    if "extends" not in own:
        return own
    if not left:
        raise ConfigError(f"{path}: more than {_MOST_EXTENSIONS} taxonomies extend one another")
    base = _merged(_place(_text(own["extends"], path, "extends"), path.parent), left - 1)
    return _over(base, own)


def _over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(base)
    for key, value in own.items():
        inner = base.get(key)
        if isinstance(inner, dict) and isinstance(value, dict):
            value = _over(inner, value)
        both[key] = value
    return both


def _checked(given: Mapping[str, Any], path: Path) -> Taxonomy:
    dimensions = tuple(_dimensions(_table(given.get("dimensions", {}), path, "dimensions"), path))
    names = {one.name for one in dimensions}
    functions = tuple(_functions(_table(given.get("functions", {}), path, "functions"), path))
    if not any(one.used for one in dimensions) or not functions:
        raise ConfigError(f"{path}: a taxonomy needs a used dimension and a function at least")
    for function in functions:
        if function.dimension is not None and function.dimension not in names:
            known = ", ".join(sorted(names))
            raise ConfigError(
                f"{path}: {function.name} is of the dimension {function.dimension!r}; there are"
                f" {known}"
            )
    twice = _twice(one.name for one in functions)
    if twice:
        raise ConfigError(f"{path}: the function {twice} is there twice")
    return Taxonomy(
        _text(given.get("name", path.stem), path, "name"),
        _text(given.get("about", ""), path, "about"),
        dimensions,
        functions,
        tuple(_text(rule, path, "rules") for rule in given.get("rules", [])),
        _text(given.get("examples", ""), path, "examples"),
    )


def _twice(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if _folded(name) in seen:
            return name
        seen.add(_folded(name))
    return None


def _dimensions(given: Mapping[str, Any], path: Path) -> Iterable[Dimension]:
    for name, value in given.items():
        if ": " in name:
            raise ConfigError(f'{path}: the dimension {name!r} must not hold ": "')
        if isinstance(value, str):
            yield Dimension(name, value)
        else:
            table = _table(value, path, f"dimensions.{name}", {"definition", "used"})
            used = table.get("used", True)
            if not isinstance(used, bool):
                raise ConfigError(f"{path}: dimensions.{name}.used must be true or false")
            yield Dimension(name, _text(table.get("definition"), path, f"dimensions.{name}"), used)


def _functions(given: Mapping[str, Any], path: Path) -> Iterable[Function]:
    for group, table in given.items():
        members = dict(_table(table, path, f"functions.{group}"))
        general = members.pop("general", False)
        for name, value in members.items():
            where = f"functions.{group}.{name}"
            if isinstance(value, str):
                value = {"definition": value}
            inner = _table(value, path, where, {"definition", "dimension"})
            dimension = inner.get("dimension")
            if (dimension is None) != (general is True):
                raise ConfigError(
                    f"{path}: {where} needs a dimension, unless its group is `general = true`"
                )
            definition = _text(inner.get("definition"), path, where)
            yield Function(name, definition, group, dimension)


def _table(value: Any, path: Path, where: str, allowed: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict) or (allowed is not None and value.keys() - allowed):
        what = "" if allowed is None else f" of {' and '.join(sorted(allowed))}"
        raise ConfigError(f"{path}: {where} must be a table{what}; received {value!r:.80}")
    return value


def _text(value: Any, path: Path, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{path}: {where} must be a text; received {value!r:.80}")
    return value

"""The taxonomy: which dialogue acts there are. A file, which users replace or extend.

Shipped are `iso-24617-2`, which AMULET uses, `intents`, which AMULET observed first, and
`requests`. A user's file is called `taxonomy.toml` and stands in the folder given as `--prompts`;
its `extends` names a shipped one, or a file beside it. A run keeps the taxonomy that its judges
were asked with (`to_record`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from assize.base.depth import parse_toml
from assize.base.errors import ConfigError
from assize.base.signature import content_hash

FOLDER = Path(__file__).with_name("taxonomies")
DEFAULT = "iso-24617-2"
FILE = "taxonomy.toml"

_MOST_EXTENSIONS = 8
_STRICT = ConfigDict(extra="forbid")
_FIELDS = {"name", "about", "extends", "examples", "rules", "dimensions", "functions"}


@dataclass(frozen=True, slots=True)
class Dimension:
    """What part of communication an act is about; `used` says that judges are offered it."""

    __pydantic_config__ = _STRICT

    name: str
    definition: str
    used: bool = True


@dataclass(frozen=True, slots=True)
class Function:
    """What an act does."""

    __pydantic_config__ = _STRICT

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

    __pydantic_config__ = _STRICT

    name: str
    about: str
    dimensions: tuple[Dimension, ...]
    functions: tuple[Function, ...]
    rules: tuple[str, ...] = ()
    examples: str = ""

    def __post_init__(self) -> None:
        if not self.functions or not any(one.used for one in self.dimensions):
            raise ValueError("a taxonomy needs a used dimension and a function at least")
        names = [one.name for one in self.dimensions]
        seen: set[str] = set()
        for one in self.functions:
            if one.dimension is not None and one.dimension not in names:
                known = ", ".join(sorted(names))
                raise ValueError(
                    f"{one.name} is of the dimension {one.dimension!r}; there are {known}"
                )
            if _folded(one.name) in seen:
                raise ValueError(f"the function {one.name} is there twice")
            seen.add(_folded(one.name))
        if any(": " in name for name in names):
            raise ValueError('the name of a dimension must not hold ": "')

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
    def function_names(self) -> frozenset[str]:
        """Names of all functions."""
        return frozenset(one.name for one in self.functions)

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
        """All that it says; `taxonomy_from` reads it back."""
        return asdict(self)

    @cached_property
    def hash(self) -> str:
        """Twelve digits for what it says."""
        return content_hash(json.dumps(self.prompt_values()), digits=12)


_TAXONOMY = TypeAdapter(Taxonomy)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def load_taxonomy(name: str | Path = DEFAULT) -> Taxonomy:
    """Load a shipped taxonomy by its name, or a `.toml` file by its path.

    Raises:
        ConfigError: there is none, or the file is not a taxonomy; the message says what is wrong
            and where.

    >>> len(load_taxonomy().functions)
    44
    """
    return _loaded(_place(name, Path.cwd()))


@lru_cache(maxsize=16)
def _loaded(path: Path) -> Taxonomy:
    file = _merged(path, _MOST_EXTENSIONS)
    record = {"name": path.stem, "about": "", **file}
    record.pop("extends", None)
    try:
        record["dimensions"] = [
            {"name": name, **_definition(value)}
            for name, value in file.get("dimensions", {}).items()
        ]
        record["functions"] = list(_function_records(file.get("functions", {})))
    except (AttributeError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{path}: dimensions and functions are tables of texts, or of tables with a"
            f" definition: {error}"
        ) from error
    return taxonomy_from(record, path)


def _definition(value: Any) -> dict[str, Any]:
    return {"definition": value} if isinstance(value, str) else dict(value)


def _function_records(groups: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The functions of a file, each with its group; those of a general group name no dimension."""
    for group, table in groups.items():
        general = table.get("general", False)
        for name, value in table.items():
            if name == "general":
                continue
            record = {"name": name, "group": group, **_definition(value)}
            if ("dimension" in record) == (general is True):
                raise ValueError(
                    f"{group}.{name} needs a dimension, unless its group is `general = true`"
                )
            yield record


def taxonomy_from(record: Mapping[str, Any], where: Path) -> Taxonomy:
    """The taxonomy that `to_record` gave; `where` is the file that errors name.

    Raises:
        ConfigError: it is none; says which field is wrong.
    """
    try:
        return _TAXONOMY.validate_python(record)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"]))
        raise ConfigError(f"{where}: taxonomy {place}: {problem['msg']}") from error


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
        own = parse_toml(path.read_text("utf-8"))
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
    base = _merged(_place(str(own["extends"]), path.parent), left - 1)
    return _over(base, own)


def _over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(base)
    for key, value in own.items():
        inner = base.get(key)
        if isinstance(inner, dict) and isinstance(value, dict):
            value = _over(inner, value)
        both[key] = value
    return both

"""A lock file: exact versions with the hashes of the files that may be installed.

    torch==2.13.0 ; sys_platform == 'linux' \
        --hash=sha256:0137fb05... \
        --hash=sha256:85ece445...
        # via assize-eval[train], transformers
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "requirements"
DEMO, WEB, DEV, CPU, CUDA = (
    FOLDER / f"{name}.txt" for name in ("demo", "web", "dev", "cpu", "cuda")
)
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME: str = PROJECT["name"]

_ENTRY = re.compile(r"([\w.-]+)==([^\s;\\]+)(?: ; (.*?))?(?: \\)?$")
_HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})(?: \\)?$")


@dataclass(frozen=True)
class Locked:
    """One package: `via` are the packages that need it, the project's extras among them."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    via: tuple[str, ...]

    def __str__(self) -> str:
        head = f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")
        hashes = (f"    --hash={one}" for one in self.hashes)
        return " \\\n".join([head, *hashes]) + f"\n    # via {', '.join(self.via)}\n"


def read_lock(text: str) -> list[Locked]:
    """The entries of a lock file, as uv writes them or `write_lock` does."""
    found: list[Locked] = []
    for block in re.split(r"\n(?=\w)", "\n" + text)[1:]:
        first, *rest = block.splitlines()
        entry = _ENTRY.match(first)
        if entry is None:
            raise ValueError(f"not a locked package: {first}")
        name, version, marker = entry.groups()
        lines = [line.strip() for line in rest]
        hashes = tuple(hash[1] for line in lines if (hash := _HASH.match(line)))
        said = (line[1:].strip().removeprefix("via") for line in lines if line.startswith("#"))
        via = tuple(one for line in said for one in line.replace(",", " ").split())
        found.append(Locked(plain(name), version, marker or "", hashes, via))
    return found


def write_lock(path: Path, about: str, entries: Iterable[Locked]) -> None:
    """Writes a lock file, its entries by name."""
    head = f"# {about}\n# Written from pyproject.toml by `make lock`.\n"
    path.write_text(head + "".join(map(str, sorted(entries, key=lambda one: one.name))))


def plain(name: str) -> str:
    """A distribution's name as names are compared.

    >>> plain("ast_serialize"), plain("Jinja2")
    ('ast-serialize', 'jinja2')
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def needed_by(entries: Sequence[Locked]) -> dict[str, set[str]]:
    """The extras that bring each package: "base" for what everybody installs."""
    by_name = {one.name: one for one in entries}
    direct = {one: set[str]() for one in by_name}
    for extra, names in _direct().items():
        for name in names & direct.keys():
            direct[name].add(extra)

    def extras(name: str, seen: frozenset[str]) -> set[str]:
        found = set(direct[name])
        for parent in by_name[name].via:
            if parent in by_name and parent not in seen:
                found |= extras(parent, seen | {parent})
        return found

    return {name: extras(name, frozenset({name})) for name in by_name}


def _direct() -> dict[str, set[str]]:
    """The packages that each extra names itself."""
    named = {"base": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    return {
        extra: {plain(re.split(r"[^\w.-]", one)[0]) for one in requirements} - {plain(NAME)}
        for extra, requirements in named.items()
    }

"""Writes docs/licences.md: the licence of every locked package, as its own metadata has it.

python -m scripts.dependencies.licences

A package that is not installed here, being for another system, keeps its row while its version
stays; otherwise its metadata is fetched with pip.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from typing import NamedTuple

from scripts.dependencies.locked import CUDA, DEV, ROOT, Locked, needed_by, read_lock

PAGE = ROOT / "docs" / "licences.md"
HEAD = """# Licences

assize is under the Apache License 2.0. What it installs is permissively licensed (MIT, BSD,
Apache 2.0, ISC, PSF and the like), with three exceptions: `tqdm` is in part under MPL 2.0,
`psycopg`, which only the extra `postgres` brings, is under LGPL 3.0, and NVIDIA's libraries, which
PyTorch's usual build for Linux brings, are under NVIDIA's own terms. The web app carries a copy of
htmx (0BSD), with its licence beside it.
Some packages that only development needs have other licences: `krippendorff` (GPL 3.0),
`relplot` (Apple's own), and `certifi`, `hypothesis` and `pathspec` (MPL 2.0).

The weights of the shipped evaluator were learnt from reliable-eval (MIT), iEval and ConTurE (CC BY
4.0), hh-rlhf (MIT), the Topical-Chat part of USR (MIT; texts CDLA-Sharing 1.0) and MRBench
(CC BY-SA 4.0). No text of theirs is in the package. Corpora without a stated licence
were not used for training.

The table is written by `make lock` from the packages' own metadata. "BSD" stands where a package
does not say which BSD licence. `base` is what everybody installs, the rest are
[extras](installation.md#extras). A dash marks what no extra brings: packages that tests use, and
the encoder's weights, which [you install yourself](installation.md). "terms of its own": the
package's metadata names no known licence.

| package | version | licence | needed by |
|---|---|---|---|
"""
UNKNOWN = "terms of its own"
# What metadata says where it gives no SPDX expression, by its beginning, in small letters.
SPELT = {
    "mit or apache-2.0": "MIT OR Apache-2.0",
    "mit": "MIT",
    "apache": "Apache-2.0",
    "bsd-3": "BSD-3-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "3-clause bsd": "BSD-3-Clause",
    "bsd-2": "BSD-2-Clause",
    "2-clause bsd": "BSD-2-Clause",
    "bsd": "BSD",
    "isc": "ISC",
    "mpl-2.0 and mit": "MPL-2.0 AND MIT",
    "mozilla public license 2.0": "MPL-2.0",
    "psf": "PSF-2.0",
    "python software foundation": "PSF-2.0",
}


class Row(NamedTuple):
    """One line of the table."""

    package: str
    version: str
    licence: str
    needed_by: str


def licence_of(said: PackageMetadata | Mapping[str, object]) -> str:
    """The licence that a package's metadata states, as SPDX where it can be told."""
    told = said if isinstance(said, Mapping) else said.json
    if told.get("license_expression"):
        return str(told["license_expression"])
    classifiers = told.get("classifier", [])
    assert isinstance(classifiers, list)
    ends = (one.split(" :: ")[-1] for one in classifiers if one.startswith("License"))
    for text in (str(told.get("license", "")), *ends):
        for beginning, licence in SPELT.items():
            if text.strip().lower().startswith(beginning):
                return licence
    return UNKNOWN


def fetched(entry: Locked) -> str:
    """The licence of a package that is not installed here."""
    command = [sys.executable, "-m", "uv", "tool", "run", "--quiet", "pip", "install", "--quiet"]
    command += ["--dry-run", "--no-deps", "--ignore-installed", "--ignore-requires-python"]
    command += ["--report", "-"]
    wanted = f"{entry.name}=={entry.version}"
    done = subprocess.run([*command, wanted], stdout=subprocess.PIPE, check=True)  # noqa: S603
    return licence_of(json.loads(done.stdout)["install"][0]["metadata"])


def read_page() -> list[Row]:
    """The rows of the page as it is."""
    lines = PAGE.read_text().splitlines() if PAGE.exists() else []
    cells = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line)
    return [Row(*row) for row in cells if len(row) == 4][2:]


def rows() -> list[Row]:
    """What the page should say."""
    kept = {(row.package, row.version): row.licence for row in read_page()}
    entries = [*read_lock(DEV.read_text()), *read_lock(CUDA.read_text())]
    extras = needed_by(entries)
    found = []
    for one in sorted(entries, key=lambda entry: entry.name):
        try:
            licence = licence_of(metadata(one.name))
        except PackageNotFoundError:
            licence = kept.get((one.name, one.version)) or fetched(one)
        found.append(Row(one.name, one.version, licence, _users(extras[one.name])))
    return found


def _users(extras: set[str]) -> str:
    if "base" in extras:
        return "base"
    return ", ".join(sorted(extras - {"dev"}) or sorted(extras)) or "-"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows()))


if __name__ == "__main__":
    main()

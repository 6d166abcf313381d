"""Holds lock, licences, environment, source and wheel together; needs no connection.

python -m scripts.dependencies.audit    a line a check; exit code 1 where one found a problem

Known vulnerabilities are not looked up, which takes a connection; the last line says how.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import distributions
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement
from scripts.dependencies.licences import UNKNOWN, Row, read_page, rows
from scripts.dependencies.locked import (
    CPU,
    CUDA,
    DEMO,
    DEV,
    NAME,
    PROJECT,
    ROOT,
    WEB,
    plain,
    read_lock,
)

PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CNRI-Python",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "PSF-2.0",
    "Zlib",
}
# Not permissive, and known: the page says so.
KNOWN = {"axe-playwright-python", "psycopg", "psycopg-binary", "relplot", "tqdm"}
# Rules of ruff that guard against running or unpacking what others wrote.
UNSAFE = re.compile(r"noqa:[^#]*\bS(102|301|302|307|502|506|602|605|614|701)\b")
# What is excused: annotations of our own functions, read as Python reads them.
EXCUSED = {"arguments.py": "eval(annotation, inspect.unwrap(function).__globals__)"}
WEIGHTS = (".pkl", ".pickle", ".pt", ".pth", ".bin", ".joblib")


def lock_holds_requirements() -> list[str]:
    """Everything that pyproject.toml asks for is locked, at a version that it allows."""
    entries = [*read_lock(DEV.read_text()), *read_lock(CUDA.read_text())]
    locked = {entry.name: entry.version for entry in entries}
    asked = chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    wanted = [one for one in map(Requirement, asked) if plain(one.name) != plain(NAME)]
    return [
        f"{one} is locked as {locked.get(plain(one.name))}"
        for one in wanted
        if not one.specifier.contains(locked.get(plain(one.name), "0"), prereleases=True)
    ]


def lock_is_whole(files: Iterable[Path] = (DEMO, WEB, DEV, CPU, CUDA)) -> list[str]:
    """Every locked package has hashes, and one version in all files, whatever its build."""
    versions: dict[str, str] = {}
    found = []
    for entry in (entry for path in files for entry in read_lock(path.read_text())):
        if not entry.hashes:
            found.append(f"{entry.name} has no hash")
        version = entry.version.partition("+")[0]
        if versions.setdefault(entry.name, version) != version:
            found.append(f"{entry.name} is {versions[entry.name]} and {version}")
    return found


def environment_is_the_lock() -> list[str]:
    """What is installed here is at the version that is locked."""
    entries = [*read_lock(DEV.read_text()), *read_lock(CUDA.read_text())]
    installed = {plain(one.metadata["Name"]): one.version for one in distributions()}
    return differences({one.name: one.version for one in entries}, installed)


def differences(locked: dict[str, str], installed: dict[str, str]) -> list[str]:
    """What is installed at another version; what no lock holds is not ours to judge."""
    return [
        f"{name} {version} is installed, locked is {locked[name]}"
        for name, version in sorted(installed.items())
        if name in locked and locked[name] != version.partition("+")[0]
    ]


def licences_are_known() -> list[str]:
    """The page on licences is what the packages say, and what users install is permissive."""
    page = read_page()
    return [
        *(f"{row.package} {row.version}: make lock" for row in {*rows()} ^ {*page}),
        *not_permissive(page),
    ]


def not_permissive(page: Sequence[Row]) -> list[str]:
    """Packages of users whose licence is neither permissive nor known."""
    return [
        f"{row.package}: {row.licence}"
        for row in page
        if row.needed_by != "dev"
        and row.package not in KNOWN
        and not row.package.startswith(("nvidia-", "cuda-"))
        and (row.licence == UNKNOWN or {*re.split(" AND | OR ", row.licence)} - PERMISSIVE)
    ]


def source_is_safe(folder: Path = ROOT / "src") -> list[str]:
    """No rule against unsafe calls is switched off, and no model runs code that came with it."""
    found = []
    for path in folder.rglob("*.py"):
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            if EXCUSED.get(path.name, "\n") in line:
                continue
            if UNSAFE.search(line) or re.search(r"trust_remote_code\s*=\s*True", line):
                found.append(f"{path}:{number}: {line.strip()}")
    return found


def wheel_holds_the_package() -> list[str]:
    """A wheel holds the package and nothing else, and no weights that unpickling would run."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603
        (path,) = Path(folder).iterdir()
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
    about = rf"{NAME.replace('-', '_')}-[^/]+\.dist-info/"
    return [
        name
        for name in names
        if not re.match(rf"assize/|assize_pytest\.py$|{about}", name)
        or name.endswith((*WEIGHTS, ".pyc", ".env"))
    ]


CHECKS: dict[str, Callable[[], list[str]]] = {
    "the lock holds what pyproject.toml asks for": lock_holds_requirements,
    "every locked file has a hash": lock_is_whole,
    "the environment is the lock": environment_is_the_lock,
    "licences are known": licences_are_known,
    "the source switches off no guard": source_is_safe,
    "the wheel holds the package alone": wheel_holds_the_package,
}


def main() -> int:
    """Prints what each check found; the exit code."""
    problems = 0
    for name, check in CHECKS.items():
        found = check()
        problems += len(found)
        sys.stdout.write(f"{'problem' if found else 'ok':8}{name}\n")
        sys.stdout.writelines(f"        {one}\n" for one in found)
    sys.stdout.write(
        "not looked up: known vulnerabilities; with a connection,"
        " pipx run pip-audit --no-deps --require-hashes -r requirements/dev.txt\n"
    )
    return int(problems > 0)


if __name__ == "__main__":
    sys.exit(main())

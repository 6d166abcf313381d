"""`run.json`: which command a folder belongs to, and in which format it was written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assize.errors import ConfigError
from assize.formats.writing import encoded
from assize.running.durable import replace

RUN = "run.json"
FORMAT = 2  # 1, which does not say so: money stands in the records and as `spent_before`


def read_run(path: Path) -> dict[str, Any] | None:
    """What a folder's `run.json` says; None where there is none."""
    if not path.exists():
        return None
    try:
        value: dict[str, Any] = json.loads(path.read_text("utf-8"))
        value["command"]
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path} is not a run's ({error!r}); choose another --out") from error
    found = value.get("format", 1)
    if not isinstance(found, int) or not 1 <= found <= FORMAT:
        raise ConfigError(
            f"{path} is of format {found!r}, and this version of assize knows formats up to"
            f" {FORMAT}: go on with the version that wrote it, or a later one"
            " (pip install -U assize-eval), or choose another --out"
        )
    return value


def write_run(path: Path, command: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """Writes `run.json`: the command, the format, and whatever else is told about the run."""
    text = json.dumps({"command": command, "format": FORMAT, **about}, indent=1, ensure_ascii=False)
    replace(path, [encoded(text + "\n")])


def differences(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """What tells two commands apart, in words; None where nothing does.

    >>> differences({"votes": 2, "seed": 0}, {"votes": 1, "seed": 0})
    'votes was 2 and is 1'
    """
    for name in {**earlier, **now}:
        if earlier.get(name) != now.get(name):
            return f"{name} was {_short(earlier.get(name))} and is {_short(now.get(name))}"
    return None


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "..."

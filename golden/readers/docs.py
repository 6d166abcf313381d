"""What README and docs show that a command prints; `tests/docs` holds them to the product."""

from __future__ import annotations

import re
from pathlib import Path

from golden.figures import Figure
from golden.product import Figures

STUDIES = {
    "juries": "jury",
    "acts": "acts",
    "calibration": "calibrate",
    "criteria": "criteria",
    "reference": "reference",
    "evaluators": "evaluator",
}
"""By study, the group of its command in BASE: `assize study juries` was `assize jury study`."""
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(folder: Path) -> Figures:
    """Return the printed text of every command that stands in a console block."""
    seen: dict[str, int] = {}
    for page in (Path("README.md"), *sorted(Path("docs").rglob("*.md"))):
        for block in CONSOLE.findall(page.read_text(encoding="utf8")):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                line, _, printed = part.partition("\n")
                command = as_in_base(line)
                seen[command] = seen.get(command, 0) + 1
                number = f"#{seen[command]}" if seen[command] > 1 else ""
                yield f"{command}{number}", Figure(printed)


def as_in_base(command: str) -> str:
    """Return a command line in the words that BASE has for its studies.

    >>> as_in_base("assize study juries run/")
    'assize jury study run/'
    """
    return re.sub(
        rf"^assize study ({'|'.join(STUDIES)})\b",
        lambda words: f"assize {STUDIES[words[1]]} study",
        command,
    )

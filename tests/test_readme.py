"""What README and CONTRIBUTING show is what happens."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHOWN = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(page: str) -> list[tuple[str, str]]:
    """(command, what it prints) of every console block, in which a command stands after `$ `."""
    found = []
    for block in SHOWN.findall((ROOT / page).read_text()):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


README = examples("README.md")


def test_the_readme_shows_an_example() -> None:
    assert README


@pytest.mark.parametrize(("command", "output"), README, ids=[command for command, _ in README])
def test_the_readme_shows_what_its_commands_print(
    command: str, output: str, tmp_path: Path
) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra `score`")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    words = shlex.split(command)
    words[0] = str(Path(sys.executable).with_name(words[0]))
    environment = os.environ | {"COLUMNS": "80", "TERM": "dumb"}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert lines(done.stdout) == lines(output)


def lines(text: str) -> list[str]:
    """The lines without blanks at their ends, and without empty ones."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_the_format_in_contributing_reads_a_file(tmp_path: Path) -> None:
    from assize.formats import FORMATS, read
    from assize.formats.format import Format

    page = (ROOT / "CONTRIBUTING.md").read_text()
    code = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert code is not None
    names: dict[str, object] = {}
    exec(code[1], names)
    made = names["PROMPTS"]
    assert isinstance(made, Format)
    path = tmp_path / "prompts.jsonl"
    path.write_text('{"prompt": "Hi", "reply": "Hello"}\n')
    FORMATS[made.name] = made
    try:
        (record,) = read(path)
    finally:
        del FORMATS[made.name]
    assert [turn.text for turn in record.turns] == ["Hi", "Hello"]  # type: ignore[union-attr]

"""The page "From Python" does what it shows: alone, typed, in a kernel, and inside a server."""

from __future__ import annotations

import asyncio
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from run_notebook import notebook_of, run_notebook

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "python.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str]]:
    """(code, what it prints) of every Python block."""
    return [(code, said) for code, said in _BLOCK.findall(PAGE.read_text())]


BLOCKS = blocks()
PRINTING = [(code, said) for code, said in BLOCKS if said]
RECIPES = PRINTING[1:7]  # the first block opens the page


def lines(text: str) -> list[str]:
    """The lines without blanks at their ends, and without empty ones."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


@pytest.fixture(autouse=True)
def _clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder that has the examples, as a clone has; a terminal of 80 columns."""
    pytest.importorskip("onnxruntime", reason="needs the extra `score`")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return iter([None])


def printed(code: str) -> str:
    """What a block prints."""
    said = io.StringIO()
    with redirect_stdout(said):
        exec(compile(code, str(PAGE), "exec"), {"__name__": "recipe"})
    return said.getvalue()


def test_there_are_six_recipes_of_at_most_five_lines() -> None:
    assert len(RECIPES) == 6
    assert max(len(lines(code)) for code, _ in RECIPES) <= 5


@pytest.mark.parametrize(("code", "said"), PRINTING, ids=range(len(PRINTING)))
def test_a_block_prints_what_the_page_says(code: str, said: str) -> None:
    assert lines(printed(code)) == lines(said)


@pytest.mark.slow("runs mypy")
def test_the_blocks_are_typed(tmp_path: Path) -> None:
    whole = [f"def block_{n}() -> None:\n{_indented(code)}" for n, (code, _) in enumerate(BLOCKS)]
    (tmp_path / "page.py").write_text("\n\n".join(whole))
    # In the project's folder, and so with its settings and what `make check` has kept.
    words = [sys.executable, "-m", "mypy", str(tmp_path / "page.py")]
    done = subprocess.run(words, cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def _indented(code: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in code.splitlines(True))


@pytest.mark.slow("starts a Jupyter kernel")
def test_the_recipes_work_in_a_jupyter_kernel(tmp_path: Path) -> None:
    executed = run_notebook(notebook_of([code for code, _ in RECIPES]), tmp_path)
    found = [
        "".join(part.get("text", "") for part in cell.outputs if part.get("name") == "stdout")
        for cell in executed.cells
    ]
    assert [lines(one) for one in found] == [lines(said) for _, said in RECIPES]


def test_the_recipes_work_inside_a_handler_whose_loop_runs() -> None:
    from fastapi import FastAPI
    from fastapi.testclient import TestClient

    app = FastAPI()

    @app.get("/{number}")
    async def handler(number: int) -> str:
        asyncio.get_running_loop()
        return printed(RECIPES[number][0])

    with TestClient(app) as client:
        for number, (_, said) in enumerate(RECIPES):
            assert lines(client.get(f"/{number}").json()) == lines(said)


def test_the_service_on_the_page_answers() -> None:
    from fastapi.testclient import TestClient

    names: dict[str, Any] = {"__name__": "service"}
    code = next(code for code, _ in BLOCKS if "FastAPI" in code)
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)
    with TestClient(names["app"]) as client:
        found = client.post("/rate", json=[{"role": "user", "content": "Hi"}]).json()
    assert list(found) == ["rating"]

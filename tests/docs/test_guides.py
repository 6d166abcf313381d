"""The guides from a raw file to a decision: their pictures, and the recipes for CI."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from chat_server import ChatServer
from tests.docs.answering import answer
from tests.docs.example_files import write_files
from tests.docs.pages import PAGES, ROOT, blocks, saved_files, simple_commands
from tests.docs.running import typed
from tests.docs.test_commands import refused

WORKED = "guides/from-topics-to-evaluator"  # a whole way with its files: more commands, no picture
EVERY = [page for page in PAGES if page.startswith("guides/")]
GUIDES = [page for page in EVERY if page != WORKED]
RECIPES = ROOT / "examples" / "ci"
_HEADER = struct.Struct(">8s8xII")  # of a PNG: its mark, width and height


def texts(value: Any) -> Iterator[str]:
    """Every text that stands in a value of YAML."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts(one)
    elif isinstance(value, str):
        yield value


def lines(recipe: str) -> list[str]:
    """The command lines of assize in a recipe."""
    whole = texts(yaml.safe_load((RECIPES / recipe).read_text()))
    every = (line for text in whole for line in text.replace("\\\n", " ").splitlines())
    return [line.strip() for line in every if line.strip().startswith("assize ")]


def test_there_is_a_guide_for_each_of_five_people() -> None:
    assert len(GUIDES) == 5


@pytest.mark.parametrize("page", EVERY)
def test_a_guide_is_short(page: str) -> None:
    assert len(PAGES[page].read_text().splitlines()) <= 90


@pytest.mark.parametrize("page", GUIDES)
def test_a_guide_comes_to_a_page_in_five_commands(page: str) -> None:
    typed_in = [line for block in blocks(page) if not block.not_run for line, _ in block.commands]
    for name, script in saved_files(page).items():
        typed_in = [line.replace(name, script) for line in typed_in]
    reported = next(at for at, line in enumerate(typed_in) if "--report" in line)
    assert reported < 5


@pytest.mark.parametrize("page", GUIDES)
def test_a_guide_has_a_picture_that_is_light(page: str) -> None:
    (name,) = re.findall(r"!\[[^]]+\]\((images/[\w-]+\.png)\)", PAGES[page].read_text())
    data = (PAGES[page].parent / name).read_bytes()
    mark, width, height = _HEADER.unpack_from(data)
    assert mark == b"\x89PNG\r\n\x1a\n"
    assert (width, 400 < height < 1200, len(data) <= 60_000) == (900, True, True)


@pytest.mark.parametrize("recipe", ["github.yml", "gitlab.yml"])
def test_every_command_of_a_recipe_is_taken(recipe: str) -> None:
    found = lines(recipe)
    assert len(found) == 4
    words = [one for line in found for one in simple_commands(line)]
    assert not [said for one in words if (said := refused(one[1:]))]


@pytest.mark.slow("starts every command of a guide")
def test_a_recipe_stops_a_build_that_is_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitHub's; the other has the same commands, as the test below shows."""
    write_files("guides/ci-gate", tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "gate.md"))
    summary = str(tmp_path / "gate.md")
    codes = [
        typed(line.replace('"$GITHUB_STEP_SUMMARY"', summary), tmp_path).code
        for line in lines("github.yml")
    ]
    assert codes == [0, 0, 0, 1]
    assert "FAILED" in (tmp_path / "gate.md").read_text()
    assert "<failure" in (tmp_path / "gate.xml").read_text()


def test_both_recipes_gate_alike() -> None:
    """But for where the summary goes."""
    github, gitlab = (
        [re.sub(r"--summary \S+", "", " ".join(line.split())) for line in lines(name)]
        for name in ("github.yml", "gitlab.yml")
    )
    assert github == gitlab


@pytest.mark.slow("starts every command of a guide")
def test_the_nightly_script_says_by_its_exit_status_what_stopped_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No log; too small a budget; then the same night continued with more."""
    page = "guides/nightly"
    write_files(page, tmp_path)
    script = saved_files(page)["nightly.sh"]
    (tmp_path / "nightly.sh").write_text(script)
    (tmp_path / "frugal.sh").write_text(script.replace("--max-cost 1 ", "--max-cost 0.003 "))
    lines = ["sh nightly.sh 2026-10-31", "sh frugal.sh 2026-10-01", "sh nightly.sh 2026-10-01"]
    with ChatServer(answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "of-the-test")
        codes = [typed(line, tmp_path).code for line in lines]
    assert codes == [2, 3, 0]
    assert (tmp_path / "pages" / "2026-10-01.html").exists()

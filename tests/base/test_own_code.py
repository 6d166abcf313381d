"""`module:name`, found in the current folder or among what is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assize.base.errors import ConfigError
from assize.base.own_code import imported, is_typed


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])  # as a command has it
    sys.modules.pop("my_code", None)
    (tmp_path / "my_code.py").write_text("class Holder:\n    inner = 'found'\n")
    return tmp_path


@pytest.mark.parametrize(
    ("written", "typed"),
    [("m:f", True), ("a.b:C.d", True), ("io@openai:x", False), ("m", False), ("a/b:c", False)],
)
def test_what_is_written_so_is_told_by_its_form(written: str, typed: bool) -> None:
    assert is_typed(written) is typed


def test_the_current_folder_is_looked_in_and_stays_at_the_end_of_the_path(here: Path) -> None:
    assert imported("my_code:Holder.inner") == "found"
    assert sys.path[-1] == str(here)
    assert sys.path.count(str(here)) == 1


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("nowhere_at_all:f", "no module 'nowhere_at_all'; looked in the current folder"),
        ("my_code:nothing", "module my_code has no 'nothing'; it has Holder"),
        ("my_code", "write module:name"),
    ],
)
def test_errors_say_what_is_wrong(here: Path, written: str, told: str) -> None:
    assert here
    with pytest.raises(ConfigError, match=told):
        imported(written)

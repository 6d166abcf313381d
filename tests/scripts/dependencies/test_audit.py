"""The audit finds nothing here, and finds what is planted."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts.dependencies.audit import (
    CHECKS,
    differences,
    lock_is_whole,
    main,
    not_permissive,
    source_is_safe,
)
from scripts.dependencies.licences import UNKNOWN, Row


@pytest.mark.parametrize("name", CHECKS)
def test_the_project_passes(name: str) -> None:
    assert CHECKS[name]() == []


def test_a_problem_is_printed_below_its_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "scripts.dependencies.audit.CHECKS", {"well": list[str], "ill": lambda: ["this"]}
    )
    assert main() == 1
    assert capsys.readouterr().out.startswith("ok      well\nproblem ill\n        this\n")


def test_a_package_without_a_hash_or_with_two_versions_is_found(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("six==1\n    # via a\n")
    two.write_text(f"six==2 \\\n    --hash=sha256:{'0' * 64}\n    # via a\n")
    assert lock_is_whole([one, two]) == ["six has no hash", "six is 1 and 2"]


def test_another_version_than_the_locked_one_is_found() -> None:
    found = differences({"torch": "2.13.0", "six": "1"}, {"torch": "2.13.0+cpu", "six": "2"})
    assert found == ["six 2 is installed, locked is 1"]


def test_a_licence_that_binds_users_is_found_but_not_one_of_the_tests() -> None:
    page = [
        Row("good", "1", "MIT OR Apache-2.0", "base"),
        Row("tests", "1", "GPL-3.0-or-later", "dev"),
        Row("bad", "1", "MIT AND GPL-3.0-or-later", "score"),
        Row("odd", "1", UNKNOWN, "train"),
    ]
    assert not_permissive(page) == ["bad: MIT AND GPL-3.0-or-later", f"odd: {UNKNOWN}"]


@pytest.mark.parametrize(
    "line",
    ["pickle.loads(data)  # noqa" + ": S301", "load(path, trust_remote_code=True)"],
)
def test_a_guard_that_is_switched_off_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "fine.py").write_text("x = 1  # noqa" + ": S101\n")
    assert source_is_safe(tmp_path) == []
    (tmp_path / "loads.py").write_text(f"x = 1\n{line}\n")
    (found,) = source_is_safe(tmp_path)
    assert "loads.py:2:" in found

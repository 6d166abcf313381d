from __future__ import annotations

import json
from pathlib import Path

from dialogue_evaluator import evaluator_on
from letters import Letters
from typer.testing import CliRunner

import assize
from assize.cli import app


def test_the_shipped_evaluator_is_exported_with_its_card(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["evaluator", "export", "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    names = sorted(row["file"] for row in found["files"])
    assert names == sorted(path.name for path in tmp_path.iterdir())
    assert "README.md" in names
    assert found["use"] == f"hf upload OWNER/NAME {tmp_path}"


def test_an_evaluator_in_memory_is_exported_too(tmp_path: Path) -> None:
    evaluator = evaluator_on(Letters())
    done = assize.evaluator.export(evaluator, out=tmp_path)
    assert done.signature == evaluator.signature
    assert (tmp_path / "README.md").exists()

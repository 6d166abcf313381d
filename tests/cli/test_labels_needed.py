"""`assize labels-needed`, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from assize.cli import app


def test_the_table_says_what_is_still_to_be_labelled(tmp_path: Path) -> None:
    rows = [
        {
            "item": f"i{n}",
            "judge": judge,
            "question": "clear",
            "score": n % 5 + 0.1 * (n % 3) * far,
            "kind": kind,
        }
        for judge, kind, count, far in (("bot", "model", 200, 1), ("ann", "person", 30, 0))
        for n in range(count)
    ]
    file = tmp_path / "judged.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = ["labels-needed", str(file), "--width", "0.5"]
    shown = CliRunner().invoke(app, told, terminal_width=160)
    assert shown.exit_code == 0, shown.stderr
    assert "clear: Labels needed" in shown.stdout
    assert "For an interval 0.5 wide." in shown.stdout
    found = json.loads(CliRunner().invoke(app, [*told, "--json"]).stdout)
    alone, helped = found["labels"]
    assert helped["needed"] < alone["needed"]

"""`assize labels-needed`, as a user runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from command_line import read_json, run


def test_the_table_says_what_is_still_to_be_labelled(lines: Callable[[str, Any], str]) -> None:
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
    command = ("labels-needed", lines("judged.jsonl", rows), "--width", "0.5")
    shown = run(*command, terminal_width=160).stdout
    assert "clear: Labels needed" in shown
    assert "For an interval 0.5 wide." in shown
    alone, helped = read_json(*command)["labels"]
    assert helped["needed"] < alone["needed"]

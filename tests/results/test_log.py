"""Lines of the log: names from files neither act in a terminal nor in a CI server's log."""

from __future__ import annotations

import subprocess
import sys

CODE = """
from assize import Judgment, JudgmentTable, agree
name = "q\\n::stop-commands::x\\x1b[31m"
rows = [Judgment(f"i{n}", judge, name, answer="1") for n in range(4) for judge in "ab"]
agree(JudgmentTable.of(rows))
"""


def test_a_hostile_name_in_a_script_without_a_handler_is_escaped() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stderr.startswith("scales guessed from the answers seen: q\n  \\x3a:stop-commands")
    assert "\x1b" not in done.stderr

"""Commands that are imported when they are called."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import read_refusal, run

from assize.cli import COMMANDS, PANELS
from assize.cli.lazy import LazyCommand


def test_every_command_of_the_table_can_be_imported_and_says_what_it_does() -> None:
    for row in COMMANDS:
        assert LazyCommand(row).real.help.splitlines()[0] == row.about


def test_listing_commands_imports_none_of_them() -> None:
    script = (
        "import sys\nfrom typer.testing import CliRunner\nfrom assize.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        "assert CliRunner().invoke(app, ['calibrate', '--help']).exit_code == 0\n"
        "print([name for name in sys.modules if name.startswith(('assize._', 'assize.agree'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["scor"], "Did you mean 'score'?"),
        (["calibrate", "fi"], "Did you mean 'fit'?"),
        (["acts", "agre"], "Did you mean 'agree'?"),  # and no file
        (["agree", "--golt", "x"], "No such option"),
        (["judge", "--jugde", "x"], "Possible options: --"),
        (["judge", "--vote", "x"], "Possible options: --"),
    ],
)
def test_a_typo_is_a_usage_error_that_says_what_there_is(typed: list[str], message: str) -> None:
    assert message in " ".join(run(*typed, code=2).output.split())


def test_a_group_may_have_a_command_that_is_meant_where_none_is_named() -> None:
    assert "nowhere.jsonl: there is no such file" in read_refusal("acts", "nowhere.jsonl")


def test_the_help_groups_its_commands_as_the_readme_does() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    table = readme.partition("| what you want | command | guide |")[2].partition("\n\n")[0]
    headings: dict[str, list[str]] = {}
    for line in table.splitlines():
        if not line.startswith("|") or line.startswith("|--"):
            continue
        heading, command = [cell.strip() for cell in line.split("|")[1:3]]
        if heading.startswith("**"):
            rows = headings.setdefault(heading.strip("*"), [])
        elif "assize" in command:
            rows += re.findall(r"`assize ([\w-]+)", command)
    assert {name: tuple(dict.fromkeys(rows)) for name, rows in headings.items()} == PANELS
    shown = run("--help").output
    places = [shown.index(f"─ {heading} ─") for heading in PANELS]
    assert places == sorted(places)
    assert {row.name.partition(" ")[0] for row in COMMANDS} == {
        name for names in PANELS.values() for name in names
    }


def test_the_help_of_judge_is_grouped_and_the_list_has_the_options_of_one_judge() -> None:
    shown = run("judge", "--help").output
    parts = re.split(r"╭─ ([\w ]+) ─", shown)
    panels = dict(zip(parts[1::2], parts[2::2], strict=True))
    options = {
        "Input": "--format",
        "Judges and models": "--base-url",
        "Run": "--max-cost",
        "Output": "--json",
    }
    for panel, option in options.items():
        assert option in panels[panel]
    listed = run("judge", "--list", "--judge", "factscore@m").output
    assert "corpus" in listed
    assert "adaptive" not in listed

"""Commands that are imported when they are called."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from assize.cli import COMMANDS, app
from assize.cli.lazy import LazyCommand


def test_every_command_of_the_table_can_be_imported_and_says_what_it_does() -> None:
    for row in COMMANDS:
        assert LazyCommand(row).real.help.splitlines()[0] == row.about


def test_listing_commands_imports_none_of_them() -> None:
    script = (
        "import sys\nfrom typer.testing import CliRunner\nfrom assize.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        "assert CliRunner().invoke(app, ['calibrate', '--help']).exit_code == 0\n"
        "print([one for one in sys.modules if one.startswith('assize.workflows')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["scor"], "Did you mean 'score'?"),
        (["calibrate", "fi"], "Did you mean 'fit'?"),
        (["agree", "--golt", "x"], "No such option"),
    ],
)
def test_a_typo_is_a_usage_error_that_says_what_there_is(typed: list[str], said: str) -> None:
    done = CliRunner().invoke(app, typed)
    assert done.exit_code == 2
    assert said in done.output


def test_a_group_may_have_a_command_that_is_meant_where_none_is_named() -> None:
    done = CliRunner().invoke(app, ["acts", "nowhere.jsonl"])
    assert "nowhere.jsonl: there is no such file" in str(done.exception)


def test_a_word_that_is_nearly_a_command_is_not_taken_for_a_file() -> None:
    done = CliRunner().invoke(app, ["jury", "stdy"])
    assert done.exit_code == 2
    assert "Did you mean 'study'?" in " ".join(done.output.split())

"""What commands print, and when they end with 1."""

from __future__ import annotations

import pytest
import typer

from assize.cli.terminal import Told, check_unscored, note
from assize.results import ResultTable
from assize.results.columns import columns
from assize.results.log import log
from assize.results.terminal import print_table


@pytest.mark.parametrize(("missing", "total", "said"), [(2, 10, "20.0%"), (0, 0, "100.0%")])
def test_more_missing_than_allowed_ends_with_1(
    missing: int, total: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        check_unscored(missing, total, 5.0)
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == f"{said} unscored is more than --max-unscored 5\n"
    check_unscored(1, 20, 5.0)


def test_what_a_file_chose_is_no_command_and_no_line_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hostile = "q\x1b[31m\n::stop-commands::x"
    note(f"question {hostile}")
    named = columns("words", hostile, "judge") + columns("count", "n")
    print_table(ResultTable(hostile, named, [(hostile, hostile, 1)], [hostile]))
    out, err = capsys.readouterr()
    assert err.splitlines() == ["question q\\x1b[31m", "  \\x3a:stop-commands\\x3a:x"]
    for line in out.splitlines():
        assert "\x1b[31m" not in line
        assert not line.strip().startswith("::")
        assert not line.startswith("\\x3a")


def test_a_line_of_the_log_is_escaped_once(capsys: pytest.CaptureFixture[str]) -> None:
    with Told(quiet=False, given={}).notes():
        log.warning("question %s", "q\x1b[31m\nFAILED")
    assert capsys.readouterr().err == "question q\\x1b[31m\n  FAILED\n"


def test_a_note_that_comes_again_is_written_once(capsys: pytest.CaptureFixture[str]) -> None:
    with Told(quiet=False, given={}).notes():
        for text in ("a.xlsx: a table", "b.xlsx: a table", "a.xlsx: a table"):
            log.info(text)
    assert capsys.readouterr().err.splitlines() == ["a.xlsx: a table", "b.xlsx: a table"]


def test_a_warning_that_comes_again_is_written_again(capsys: pytest.CaptureFixture[str]) -> None:
    with Told(quiet=False, given={}).notes():
        for _ in range(2):
            log.warning("ann downloaded the answers to tone")
    assert capsys.readouterr().err.splitlines() == ["ann downloaded the answers to tone"] * 2

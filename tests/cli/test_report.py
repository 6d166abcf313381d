from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Unscored
from assize.cli import app, main
from assize.formats import write


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Judgments of three items, and two of these items."""
    rows = [
        Judgment("a", "j", "overall", score=0.25),
        Judgment("b", "j", "overall", score=0.75),
        Judgment("b", "j", "clarity", answer="4"),
        Judgment("c", "j", "overall", unscored=Unscored("refused", "no")),
    ]
    items = [
        Conversation(name, (Turn("user", f"<b>{name}</b> asks"), Turn("assistant", "answer")))
        for name in ("a", "c")
    ]
    write(tmp_path / "rows.jsonl", rows)
    write(tmp_path / "items.jsonl", items)
    return str(tmp_path / "rows.jsonl"), str(tmp_path / "items.jsonl")


def test_judgments_become_a_page(files: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    arguments = ["report", files[0], "--items", files[1], "--out", str(out), "--title", "My <run>"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    assert "page.html: 3 items, 1 of them not scored" in done.stderr
    text = out.read_text()
    assert "My &lt;run&gt;" in text
    assert "&lt;b&gt;a&lt;/b&gt; asks" in text
    assert "shown where the item was given (--items)" in text


def test_json_is_one_object_with_the_numbers_of_the_page(
    files: tuple[str, str], tmp_path: Path
) -> None:
    out = str(tmp_path / "page.html")
    done = CliRunner().invoke(app, ["report", *files[:1], "--out", out, "--json"])
    found = json.loads(done.stdout)
    figures = found["figures"]
    assert (figures["items"], figures["unscored"]) == (3, 1)
    assert figures["questions"]["overall"]["mean"]["estimate"] == 0.5
    assert found["path"] == out
    assert figures["signature"]
    assert done.stderr == "scales guessed from the answers seen: clarity, overall\n"


def test_which_items_are_listed_can_be_chosen(files: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    given = ["report", files[0], "-o", str(out), "--list", "highest", "--keep", "1"]
    assert CliRunner().invoke(app, given).exit_code == 0
    text = out.read_text()
    assert "Highest items first" in text
    assert text.count('<details class="item"') == 1


def test_an_unknown_question_is_a_usage_error(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["assize", "report", files[0], "--question", "zz", "--out", str(tmp_path / "p")]
    monkeypatch.setattr("sys.argv", arguments)
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "no question 'zz'; asked were overall, clarity" in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


def test_quiet_says_nothing(files: tuple[str, str], tmp_path: Path) -> None:
    out = str(tmp_path / "page.html")
    done = CliRunner().invoke(app, ["report", files[0], "--out", out, "--quiet"])
    assert (done.stdout, done.stderr, done.exit_code) == ("", "", 0)

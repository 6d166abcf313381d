"""`assize report` as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import read_json, read_refusal, run

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Unscored
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
    options = ("--title", "My <run>", "--list", "highest", "--keep", "1")
    done = run("report", files[0], "--items", files[1], "--out", out, *options)
    assert done.stdout == ""
    assert "page.html: 3 items, 1 of them not scored" in done.stderr
    text = out.read_text()
    assert "My &lt;run&gt;" in text
    assert "To read their texts here, give the items (--items)." in text
    assert "Highest conversations first" in text
    assert text.count('<details class="item"') == 1
    quiet = run("report", files[0], "--out", out, "--quiet")
    assert (quiet.stdout, quiet.stderr) == ("", "")


def test_json_is_one_object_with_the_numbers_of_the_page(
    files: tuple[str, str], tmp_path: Path
) -> None:
    written = read_json("report", files[0], "--out", tmp_path / "page.html")
    assert (written["figures"]["items"], written["figures"]["unscored"]) == (3, 1)
    assert written["path"] == str(tmp_path / "page.html")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--question", "zz"), "no question 'zz'; asked were overall, clarity"),
        (("--by", "system"), "these are for --spread; give it too"),
    ],
)
def test_what_cannot_be_is_a_usage_error(
    files: tuple[str, str], tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    assert said in read_refusal("report", files[0], *options, "--out", tmp_path / "p")
    assert not (tmp_path / "p").exists()

"""`module:name`: imported from the current folder, only when typed, with clear errors."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from command_line import run
from run_work import judge_session as judge
from tests.judging.conftest import rows_of

from assize.base.errors import ConfigError
from assize.formats import read
from assize.judging.judge import JudgeContext
from assize.judging.session import Session
from assize.judging.table import open_judge
from assize.models import Models

CODE = """
from assize import Conversation, judge_function
from assize.judging.judges.io import IO as ASKS

@judge_function
def turns(item: Conversation) -> int:
    import sibling_of_mine
    return len(item.turns)

def plain(item):
    return 1

class Holder:
    inner = turns
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
    for name in ("my_judges", "sibling_of_mine", "fails", "unreadable"):
        sys.modules.pop(name, None)
    (tmp_path / "my_judges.py").write_text(CODE)
    (tmp_path / "sibling_of_mine.py").write_text("")
    return tmp_path


def context() -> JudgeContext:
    return JudgeContext(Models())


def test_a_method_that_is_typed_asks_a_model(here: Path) -> None:
    assert open_judge("my_judges:ASKS@scripted:first", context()).name == "io@scripted:first"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("nowhere_at_all:f", "no module 'nowhere_at_all'; looked in the current folder"),
        ("my_judges:nothing", "module my_judges has no 'nothing'; it has .*turns"),
        ("my_judges:plain", r"decorate the function with @assize\.judge_function"),
        ("my_judges:ASKS", "my_judges:ASKS asks a model: write my_judges:ASKS@"),
        ("my_judges:turns@scripted:first", "asks no model: write my_judges:turns and not"),
        ("fails:f", r"module fails cannot be imported: ZeroDivisionError: .*fails\.py:2"),
        ("needs:f", "module needs cannot be imported: ModuleNotFoundError: .*not_installed"),
        ("unreadable:f", r"unreadable cannot be read: .*unreadable\.py:1: "),
    ],
)
def test_errors_say_what_is_wrong_and_where(here: Path, written: str, told: str) -> None:
    (here / "fails.py").write_text("\n1 / 0\n")
    (here / "needs.py").write_text("import not_installed\n")
    (here / "unreadable.py").write_text("def f(:\n")
    with pytest.raises(ConfigError, match=told):
        open_judge(written, context())


def test_it_judges_from_the_command_line_and_the_same_command_goes_on(here: Path) -> None:
    lines = [json.dumps({"id": f"c{n}", "turns": [{"role": "user", "text": "Hi"}]}) for n in "12"]
    (here / "talks.jsonl").write_text("\n".join(lines) + "\n")
    for _ in range(2):
        run("judge", "talks.jsonl", "-j", "my_judges:turns", "-o", "run", "--quiet")
        assert [(row["judge"], row["score"]) for row in rows_of(here / "run")] == [
            ("turns", 1.0),
            ("turns", 1.0),
        ]


def test_nothing_is_imported_that_only_stands_in_a_stored_run(here: Path) -> None:
    (here / "evil.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    (here / "talks.jsonl").write_text('{"id": "c1", "turns": [{"role": "user", "text": "Hi"}]}\n')
    session = Session(read(["talks.jsonl"]), ["my_judges:turns"], Path("run"))
    judge(session)
    run = json.loads((here / "run/run.json").read_text())
    text = json.dumps(run).replace('"turns"', '"evil:judge"')
    assert text != json.dumps(run)
    (here / "run/run.json").write_text(text)
    with pytest.raises(ConfigError):
        judge(session)
    assert not (here / "ran").exists()
    assert "evil" not in sys.modules

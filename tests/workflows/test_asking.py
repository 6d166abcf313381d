"""How models are asked: one set of arguments, checked in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from assize.workflows.asking import USUAL, Asking, folder_for, in_session, session_of
from tests.workflows.conftest import CHATS, pair

from assize.errors import ConfigError
from assize.formats import read


def test_every_option_has_its_usual_value() -> None:
    assert set(USUAL) == set(Asking.__annotations__)


def test_arguments_reach_the_settings_of_each_part(tmp_path: Path) -> None:
    given: Any = {
        "votes": 1,
        "seed": 3,
        "concurrency": 4,
        "timeout": 9.0,
        "temperature": 0.5,
        "max_cost": 2.0,
        "no_cache": True,
        "retry": True,
        "truncate": "oldest",
        "samples": 3,
        "prompts": tmp_path,
        "options": {"rubric": "general"},
    }
    session = session_of([pair("p")], "io@scripted:any", tmp_path, given)
    assert (session.run.votes, session.run.seed, session.run.retry) == (1, 3, True)
    assert (session.asked.temperature, session.asked.samples) == (0.5, 3)
    assert (session.asked.truncate, session.asked.prompts) == ("oldest", tmp_path)
    assert (session.models.max_cost, session.models.use_cache) == (2.0, False)
    assert session.models.limits.concurrency == 4
    assert (session.judges, session.options) == (["io@scripted:any"], {"rubric": "general"})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"batch": True, "no_cache": True}, "batch needs the cache"),
        ({"truncate": "newest"}, "the one choice is oldest"),
        ({"concurrency": 0}, "concurrency: received 0, allowed is at least 1"),
        ({"temperature": -1}, "temperature: received -1, allowed is 0 to 2"),
        ({"temperature": 5.0}, "temperature: received 5.0"),
        ({"max_cost": -1.0}, "max_cost: received -1.0"),
        ({"samples": 0}, "samples: received 0"),
        ({"votes": 3}, "votes is 3"),
        ({"prompts": "nowhere"}, "prompts: there is no folder nowhere"),
    ],
)
def test_what_cannot_be_is_said(given: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        session_of([pair("p")], "io@scripted:any", tmp_path, given)


def test_an_argument_that_there_is_not_is_a_type_error(tmp_path: Path) -> None:
    given: Any = {"tempo": 1}
    with pytest.raises(TypeError, match="no argument 'tempo'"):
        session_of([pair("p")], "io@scripted:any", tmp_path, given)


def test_files_stay_files_and_all_else_becomes_items() -> None:
    for files in (read("a.jsonl"), read([Path("a"), "b"])):
        assert in_session(files) is files
    assert (read("a.jsonl").paths, read([Path("a"), "b"]).paths) == (["a.jsonl"], ["a", "b"])
    held = in_session(read(iter(CHATS)))
    for _ in range(2):
        assert [one.id for one in held] == ["kind", "odd", "asked"]


def test_a_run_in_memory_leaves_nothing_behind(tmp_path: Path) -> None:
    with folder_for(None) as folder:
        folder.mkdir()
    assert not folder.exists()
    with folder_for(str(tmp_path)) as folder:
        assert folder == tmp_path

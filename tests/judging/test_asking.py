"""How models are asked: one set of arguments, checked in one place."""

from __future__ import annotations

from dataclasses import fields
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from tests.conversations import CHATS, pair
from with_asking import with_asking

import assize
from assize.base.errors import ConfigError
from assize.formats import read
from assize.judging.asking import Asking, folder_for, in_session, session_of

MARKED = {"base_url", "temperature", "truncate", "invisible"}
OTHERS: dict[str, Any] = {
    "base_url": "http://127.0.0.1:9/v1",
    "concurrency": 3,
    "timeout": 5.0,
    "requests_per_minute": 60.0,
    "tokens_per_minute": 6000.0,
    "temperature": 0.5,
    "max_cost": 1.0,
    "prices": "prices.toml",
    "retry": True,
    "truncate": "oldest",
    "invisible": "remove",
    "record": "answers.jsonl",
    "batch": True,
    "no_cache": True,
}


def test_only_what_could_change_a_number_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    assert {*OTHERS, "prompts"} == {field.name for field in fields(Asking)}
    usual = session_of(CHATS, "io@scripted:any", tmp_path).command()
    for name, value in OTHERS.items():
        asking = Asking(**{name: value})
        command = session_of(CHATS, "io@scripted:any", tmp_path, asking).command()
        assert (command != usual) == (name in MARKED), name
        assert asking.changed == {name: value}


def test_the_marks_decide_what_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    asking = Asking(base_url="https://me:secret@models.test/v1?key=1", temperature=0.5)
    command = session_of([], "io@scripted:any", tmp_path, asking, votes=1, seed=7).command()
    assert {name: value for name, value in command.items() if name not in ("files", "items")} == {
        "format": None,
        "endpoint": "https://models.test/v1",
        "temperature": 0.5,
        "truncate": None,
        "invisible": "escape",
        "votes": 1,
        "repeats": 1,
        "seed": 7,
    }


def test_prompts_are_part_of_what_a_run_is_by_their_texts(tmp_path: Path) -> None:
    out, folders = tmp_path / "run", [tmp_path / name for name in ("one", "moved", "other")]
    shipped = (resources.files("assize.judging") / "prompts" / "io.jinja").read_text()
    for folder, text in zip(folders, (shipped, shipped, shipped + "\nBe kind."), strict=True):
        folder.mkdir()
        (folder / "io.jinja").write_text(text)
    for folder in folders[:2]:
        ask = Asking(prompts=folder)
        assize.judge([pair("p")], "io@scripted:any", out=out, asking=ask, quiet=True)
    ask = Asking(prompts=folders[2])
    with pytest.raises(ConfigError, match="holds the run of another command"):
        assize.judge([pair("p")], "io@scripted:any", out=out, asking=ask, quiet=True)


def test_arguments_reach_the_settings_of_each_part(tmp_path: Path) -> None:
    asking = Asking(
        concurrency=4,
        timeout=9.0,
        temperature=0.5,
        max_cost=2.0,
        no_cache=True,
        retry=True,
        truncate="oldest",
        prompts=tmp_path,
    )
    own: Any = {"votes": 1, "seed": 3, "samples": 3, "options": {"rubric": "general"}}
    session = session_of([pair("p")], "io@scripted:any", tmp_path, asking, **own)
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
        session_of([pair("p")], "io@scripted:any", tmp_path, **with_asking(**given))


def test_settings_that_are_no_asking_are_refused(tmp_path: Path) -> None:
    settings: Any = {"temperature": 1}
    with pytest.raises(ConfigError, match=r"give assize.Asking\(...\)"):
        session_of([pair("p")], "io@scripted:any", tmp_path, settings)
    with pytest.raises(TypeError, match="tempo"):
        Asking(tempo=1)  # type: ignore[call-arg]


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
    with folder_for(tmp_path) as folder:
        assert folder == tmp_path

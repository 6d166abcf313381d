"""Evaluators from a hub that runs on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_server import hub_of

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._artefact import save
from assize.evaluator._hub import local_folder

TALK = Conversation("c", (Turn("user", "How far is it?"), Turn("assistant", "An hour by train.")))


@pytest.fixture
def asked(
    shipped: Evaluator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[str]]:
    """What was asked of a hub with two revisions of an evaluator."""
    from dataclasses import replace

    save(replace(shipped, name="new"), tmp_path / "new")
    save(replace(shipped, name="old"), tmp_path / "old")
    (tmp_path / "new" / "README.md").write_text("# new\n")
    (tmp_path / "new" / "evil.py").write_text("raise SystemExit\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "model.bin").write_bytes(b"x")
    folders = {
        "me/talks@main": tmp_path / "new",
        "me/talks@v1.0": tmp_path / "old",
        "me/empty@main": tmp_path / "empty",
    }
    with hub_of(folders) as (address, paths):
        monkeypatch.setenv("HF_ENDPOINT", address)
        # Read when the client is imported, which other tests may have done before `no_telemetry`.
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY", True)
        yield paths


def test_an_evaluator_of_the_hub_scores_as_its_folder_does(
    asked: list[str], shipped: Evaluator
) -> None:
    found = load_evaluator("hub:me/talks")
    assert (found.name, found.signature) == ("new", shipped.signature)
    expected, scores = (
        [row.score for row in assize.scoring.iter_score([TALK], evaluator=evaluator)]
        for evaluator in (shipped, "hub:me/talks")
    )
    assert scores == expected
    assert load_evaluator("hub:me/talks@v1.0").name == "old"
    assert not [path for path in asked if path.endswith(".py")]  # no code is fetched


def test_every_place_that_takes_a_folder_takes_it(asked: list[str], tmp_path: Path) -> None:
    assert assize.load("hub:me/talks").name == "new"
    assert assize.evaluator.card("hub:me/talks").text.startswith("# new")
    rows = assize.judge([TALK], judges=["evaluator@hub:me/talks@v1.0"])
    assert {row.judge for row in rows} == {"evaluator@old"}
    done = assize.evaluator.export("hub:me/talks", out=tmp_path / "again")
    assert "README.md" in [row.file for row in done.files]


def test_what_was_fetched_is_found_again_without_a_network(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = local_folder("hub:me/talks")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert local_folder("hub:me/talks") == first
    assert not any(path.is_symlink() for path in first.iterdir())
    with pytest.raises(ConfigError, match=r"hub:me/other cannot be fetched from the hub"):
        local_folder("hub:me/other")


def test_a_repository_without_an_evaluator_is_refused(asked: list[str]) -> None:
    with pytest.raises(DataError, match=r"hub:me/empty: this repository holds no evaluator\.json"):
        load_evaluator("hub:me/empty")


@pytest.mark.parametrize(
    "name", ["hub:", "hub:talks", "hub:../x/y", "hub:a/b/c", "hub:a/b@", "hub:.a/b"]
)
def test_what_is_no_name_on_the_hub_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="write hub:OWNER/NAME"):
        load_evaluator(name)

"""How providers are opened, without anything being loaded that is not asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.models import Models, ModelSettings
from assize.models.openai import open_openai
from assize.models.replay import open_replay
from assize.models.scripted import open_scripted


def test_models_of_one_endpoint_share_a_client_and_each_knows_its_address() -> None:
    models = Models(ModelSettings(base_url="http://user:key@127.0.0.1:9/v1", use_cache=False))
    one, two = open_openai("a", models), open_openai("b", models)
    assert one.client is two.client
    assert (one.name, two.name) == ("openai:a", "openai:b")
    assert "key" not in one.identity
    assert one.identity != two.identity


def test_recordings_and_scripts_are_models_too(tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_text("")
    assert open_replay(str(tape), Models()).name == f"replay:{tape}"
    assert open_scripted("any", Models()).name == "scripted:any"


def test_a_script_that_is_not_there_is_an_error() -> None:
    from assize.base.errors import ConfigError

    with pytest.raises(ConfigError):
        open_scripted("no_such_module:nothing", Models())

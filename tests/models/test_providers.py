"""How providers are opened, without anything being loaded that is not asked for."""

from __future__ import annotations

from pathlib import Path

from assize.models import Models
from assize.models.replay import open_replay
from assize.models.scripted import open_scripted


def test_recordings_and_scripts_are_models_too(tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_text("")
    assert open_replay(str(tape), Models()).name == f"replay:{tape}"
    assert open_scripted("any", Models()).name == "scripted:any"

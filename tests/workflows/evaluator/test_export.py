from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from dialogue_evaluator import dialogues, evaluator_on, llama
from letters import Letters
from typer.testing import CliRunner

import assize
from assize import export_evaluator
from assize.cli import app
from assize.errors import ConfigError
from assize.evaluator import save


def module_in(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("reward_of_test", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_a_reward_stands_in_its_folder_ready_to_import(tmp_path: Path) -> None:
    done = export_evaluator(to="trl", out=tmp_path / "reward")
    rows = done.to_json()
    assert rows["files"] == sorted(path.name for path in (tmp_path / "reward").iterdir())
    assert "from reward import assize_overall" in done.use
    reward = module_in(tmp_path / "reward" / "reward.py").assize_overall
    asked = {"prompts": ["How far is it?"], "completions": ["An hour."]}
    assert reward(**asked) == assize.reward_function()(**asked)
    with pytest.raises(ConfigError, match="no question 'Safety'"):
        export_evaluator(to="trl", out=tmp_path / "other", question="Safety")
    assert not (tmp_path / "other").exists()


def test_a_model_of_transformers_is_written_from_a_folder(tiny_llama: Path, tmp_path: Path) -> None:
    evaluator = evaluator_on(llama(tiny_llama))
    save(evaluator, tmp_path / "mine")
    done = CliRunner().invoke(
        app,
        [
            "evaluator", "export", str(tmp_path / "mine"), "--to", "transformers",
            "--out", str(tmp_path / "model"), "--encoder", f"hf:{tiny_llama}", "--json",
        ],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["signature"] == evaluator.signature
    assert "modeling_assize.py" in found["files"]
    scores = assize.score(
        dialogues(3), evaluator=tmp_path / "mine", encoder=f"hf:{tiny_llama}?device=cpu"
    )
    assert len(scores) == 6


def test_a_question_goes_with_a_reward_alone(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"question .* is of a reward"):
        export_evaluator(evaluator_on(Letters()), to="hub", out=tmp_path, question="Overall")

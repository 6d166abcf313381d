"""Libraries report to nobody, and a checkpoint's own code never runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assize.errors import ConfigError, DataError
from assize.privacy import SWITCHES, no_telemetry

EXAMPLES = Path(__file__).parents[1] / "examples" / "conversations.jsonl"
REPORTING = ".cache/Microsoft"


def run(home: Path, code: str, **environment: str) -> list[str]:
    """Runs Python with a home folder of its own; the files that it has left there."""
    kept = {name: value for name, value in os.environ.items() if name not in SWITCHES}
    given = {**kept, "HOME": str(home), "ASSIZE_CACHE_DIR": str(home / "assize"), **environment}
    given.pop("XDG_CACHE_HOME", None)
    done = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [str(one.relative_to(home)) for one in home.rglob("*") if one.is_file()]


def test_scoring_leaves_no_file_but_in_the_cache_of_assize(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    code = f"import assize; assize.score({str(EXAMPLES)!r}, quiet=True)"
    left = run(tmp_path, code)
    assert all(one.startswith("assize/") for one in left), left


def test_this_would_be_seen_where_the_library_reports(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    pytest.importorskip("onnxruntime")
    code = "import onnxruntime, numpy\nonnxruntime.OrtValue.ortvalue_from_numpy(numpy.ones(1))\n"
    left = run(tmp_path, code)
    if not left:
        pytest.skip("this onnxruntime reports nothing by itself")
    assert any(one.startswith(REPORTING) for one in left)


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SWITCHES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DO_NOT_TRACK", "0")
    no_telemetry()
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    assert os.environ["DO_NOT_TRACK"] == "0"


@pytest.fixture
def poisoned(tiny_llama: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A checkpoint that brings code, and the file that the code would leave."""
    folder, mark = tmp_path / "model", tmp_path / "ran"
    shutil.copytree(tiny_llama, folder)
    (folder / "own.py").write_text(
        f"open({str(mark)!r}, 'w').close()\n"
        "from transformers import LlamaConfig, LlamaForCausalLM, LlamaModel\n"
        "class OwnConfig(LlamaConfig):\n    model_type = 'own'\n"
        "class Own(LlamaForCausalLM):\n    config_class = OwnConfig\n"
        "class OwnModel(LlamaModel):\n    config_class = OwnConfig\n"
    )
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "own",
        "auto_map": {
            "AutoConfig": "own.OwnConfig",
            "AutoModel": "own.OwnModel",
            "AutoModelForCausalLM": "own.Own",
        },
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder, mark


def test_code_of_a_checkpoint_is_refused_and_never_run_whatever_stdin_says(
    poisoned: tuple[Path, Path],
) -> None:
    from assize.encoders import load_encoder
    from assize.models.hf_engine import Engine
    from assize.models.reward_engine import RewardEngine

    folder, mark = poisoned
    for opening in (
        lambda: Engine(str(folder)),
        lambda: RewardEngine(str(folder)),
        lambda: load_encoder(f"hf:{folder}"),
    ):
        with pytest.raises((ConfigError, DataError), match=r"trust_remote_code|own"):
            opening()
    assert not mark.exists()


def test_an_answer_on_standard_input_runs_no_code(
    poisoned: tuple[Path, Path], tmp_path: Path
) -> None:
    folder, mark = poisoned
    code = f"from assize.models.hf_engine import Engine; Engine({str(folder)!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], input="y\n" * 9, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "ConfigError" in done.stderr
    assert not mark.exists()

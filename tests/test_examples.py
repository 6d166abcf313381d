"""The examples: judgments that can be made anew, a script, and a notebook that runs offline."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from run_notebook import read_notebook, run_notebook

import assize

EXAMPLES = Path(__file__).parent.parent / "examples"
TOUR = EXAMPLES / "tour.ipynb"
MADE = ("votes", "answers", "ratings", "held-ratings")


def test_the_judgments_are_what_the_script_makes(tmp_path: Path) -> None:
    words = [sys.executable, str(EXAMPLES / "make_judgments.py"), str(tmp_path)]
    subprocess.run(words, check=True)
    for name in MADE:
        made = assize.read_judgments([tmp_path / f"{name}.jsonl"])
        kept = assize.read_judgments([EXAMPLES / f"{name}.jsonl"])
        assert made.rows() == kept.rows(), name
        assert made.questions == kept.questions, name


def test_the_prompt_is_the_one_that_the_guide_shows() -> None:
    page = (EXAMPLES.parent / "docs" / "own-judges.md").read_text()
    assert f"```jinja\n{(EXAMPLES / 'politeness.jinja').read_text()}```" in page


def test_the_tour_is_kept_without_outputs() -> None:
    kept = json.loads(TOUR.read_text())
    code = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.slow("runs the notebook")
def test_the_tour_runs_offline_in_a_kernel(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra `score`")
    pytest.importorskip("altair", reason="needs the extra `notebook`")
    for file in EXAMPLES.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    ran = run_notebook(read_notebook(TOUR), tmp_path)
    code = [cell for cell in ran.cells if cell.cell_type == "code"]
    kinds = [{one.output_type for one in cell.outputs} for cell in code]
    assert all("execute_result" in kind for kind in kinds)
    assert all(kind <= {"execute_result", "display_data"} for kind in kinds)  # no warning
    shown = {cell.source.splitlines()[-1]: cell.outputs[-1].data for cell in code}
    jury = shown['assize.jury(votes, assize.Cascade("io"), items="pairs.jsonl")']["text/html"]
    assert "tie: 6 (100.0%)" in jury
    assert "vega" in shown['verdicts.plot("paths")']["text/html"]
    assert code[-1].outputs[-1].data["text/plain"] == "6"


@pytest.mark.nightly("trains a model")
def test_a_tiny_model_is_tuned_on_what_people_said(tmp_path: Path, tiny_llama: Path) -> None:
    """Needs trl and peft, which are in no extra: `pip install trl peft`."""
    for name in ("trl", "peft"):
        if find_spec(name) is None:
            pytest.skip(f"needs {name}: pip install trl peft")
    slots = assize.simulate.candidates(EXAMPLES / "conversations.jsonl", no_random=True)
    assize.reference.split(slots.records, out=tmp_path / "split")
    (tmp_path / "completions").mkdir()
    for side in ("train", "validation"):
        rows = tmp_path / "completions" / f"{side}.jsonl"
        assize.convert(tmp_path / "split" / f"{side}.jsonl", rows, to="prompt-completion")
    words = [
        sys.executable,
        str(EXAMPLES / "tune_lora.py"),
        "--model",
        str(tiny_llama),
        "--data",
        str(tmp_path / "completions"),
        "--out",
        str(tmp_path / "tuned"),
        "--epochs",
        "1",
        "--learning-rate",
        "1e-3",
        "--max-length",
        "512",
    ]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = re.search(r"validation loss: (\S+) before, (\S+) after", done.stdout)
    assert said is not None
    assert float(said[2]) < float(said[1])

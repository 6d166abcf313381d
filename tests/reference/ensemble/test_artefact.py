from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tests.reference.ensemble.made import metrics_table, sample, simulated

import assize
from assize.base.errors import DataError
from assize.base.line_checksum import unseal_record
from assize.base.signature import content_hash
from assize.reference._ensemble.artefact import load_ensemble
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.settings import Settings

NEW = simulated(40, seed=5)[0]


def saved(folder: Path, model: str = "ridge") -> Path:
    learn(sample(100), Settings(model=model)).save(folder)
    return folder


@pytest.mark.parametrize("model", ["blend", "ridge", "svm", "linear", "paper-tree", "paper-forest"])
def test_what_is_loaded_predicts_what_was_fitted(tmp_path: Path, model: str) -> None:
    made = learn(sample(100), Settings(model=model))
    made.save(tmp_path / "e")
    again = load_ensemble(tmp_path / "e")
    first, second = (found.predict(metrics_table(NEW)).rows() for found in (made, again))
    assert [row.score for row in second] == [row.score for row in first]
    assert [row.details for row in second] == [row.details for row in first]
    assert again.signature == made.signature
    assert again.about == json.loads(json.dumps(dict(made.about)))
    assert again.to_json()["cross_validated"] == made.to_json()["cross_validated"]


def test_a_folder_holds_nothing_pickled_and_is_loaded_by_what_it_holds(tmp_path: Path) -> None:
    folder = saved(tmp_path / "e", "blend")
    assert sorted(path.suffix for path in folder.iterdir()) == [".json", ".safetensors"]
    assert assize.load(folder).judge == f"ensemble@{folder}"


def test_loading_and_predicting_need_no_scikit_learn(tmp_path: Path) -> None:
    folder = saved(tmp_path / "e", "blend")
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import assize, numpy as np\n"
        "from tests.reference.ensemble.made import metrics_table\n"
        f"found = assize.load({str(folder)!r})\n"
        "print(found.predict(metrics_table(np.zeros((1, 3)))).rows()[0].score)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 1 <= float(run.stdout) <= 5


def changed(folder: Path, name: str, value: np.ndarray) -> None:
    """Replaces an array, with the manifest's hash of the file made to fit."""
    place = next(folder.glob("*.safetensors"))
    arrays = load_file(place)
    arrays[name] = value
    save_file(arrays, place)
    manifest = folder / "ensemble.json"
    told = unseal_record(json.loads(manifest.read_text()))
    told["files"]["arrays"]["sha256"] = content_hash(place.read_bytes())
    manifest.write_text(json.dumps(told))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("fit.reading.scale", np.zeros(3), "each metric needs a mean and a deviation above 0"),
        ("fit.reading.mean", np.zeros(2), "each metric needs a mean and a deviation above 0"),
        ("fit.reading.mean", np.full(3, np.nan), "no finite number"),
        ("fit.model.coefficients", np.full(3, np.inf), "no finite number"),
        ("fit.model.coefficients", np.zeros(5), "its model does not read 3 metrics"),
    ],
)
def test_arrays_that_cannot_be_are_refused(
    tmp_path: Path, name: str, value: np.ndarray, said: str
) -> None:
    folder = saved(tmp_path / "e")
    changed(folder, name, value)
    with pytest.raises(DataError, match=said):
        load_ensemble(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda facts: facts.update(names=["metrics:cosine"] * 3),
        lambda facts: facts.update(sources=[["metrics", "cosine"]]),
        lambda facts: facts["fit"]["model"].update(kind="network"),
        lambda facts: facts["fit"].update(unit="NaN"),
        lambda facts: facts.update(on_missing="zero"),
        lambda facts: facts["intervals"].update(width="wide"),
        lambda facts: facts.pop("question"),
        lambda facts: facts.update(range=["low", "high"]),
    ],
)
def test_facts_that_cannot_be_are_refused(tmp_path: Path, change: object) -> None:
    manifest = saved(tmp_path / "e") / "ensemble.json"
    told = unseal_record(json.loads(manifest.read_text()))
    change(told["facts"]["ensemble"])  # type: ignore[operator]
    manifest.write_text(json.dumps(told))
    with pytest.raises(DataError, match=r"ensemble\.json"):
        load_ensemble(tmp_path / "e")


def test_a_damaged_file_or_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="assize reference fit --metrics RUN"):
        load_ensemble(tmp_path)
    place = next(saved(tmp_path / "e").glob("*.safetensors"))
    place.write_bytes(place.read_bytes()[:-3])
    with pytest.raises(DataError, match="damaged"):
        load_ensemble(tmp_path / "e")


def test_an_interval_without_a_width_is_kept(tmp_path: Path) -> None:
    made = learn(sample(100), Settings(model="ridge", confidence=0.995))
    assert made.intervals.width == np.inf
    made.save(tmp_path / "e")
    again = load_ensemble(tmp_path / "e")
    assert again.intervals.width == np.inf
    assert "interval" not in (again.predict(metrics_table(NEW)).rows()[0].details or {})

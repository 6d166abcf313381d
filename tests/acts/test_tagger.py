"""The local tagger: what it says of turns, and the folder it is kept in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from acts_taught import ASK, ITEMS

from assize.acts import _cues as cues
from assize.acts._cues import Utterance
from assize.acts._tagger import KIND, Tagger, decide, load_tagger
from assize.acts._tagger_judge import TaggerJudge
from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import AssizeError, DataError
from assize.base.line_checksum import unseal_record
from assize.encoders import encoder_facts
from assize.judging.judge import Task


def test_a_blank_turn_has_no_act_and_any_other_at_least_one(trained: Tagger) -> None:
    said = [Utterance(" ", "", True, False), Utterance("xyzzy", "", False, False)]
    blank, odd = trained.tag(said)
    assert blank == []
    assert odd


def test_an_item_that_the_encoder_cannot_read_is_unscored(trained: Tagger) -> None:
    talk = Conversation("c", (Turn("user", "ฉันรักแมว"), Turn("assistant", "ฝนกำลังตก")))
    row: Any
    (row,) = TaggerJudge(trained).judge_many([Task(talk)])[0]
    assert (row.unscored.reason, row.score, row.details) == ("unreadable", None, None)


def test_a_saved_tagger_is_the_same_when_loaded(trained: Tagger, tmp_path: Path) -> None:
    trained.save(tmp_path)
    loaded = load_tagger(str(tmp_path))
    assert loaded.signature == trained.signature
    assert loaded.acts == trained.acts
    items: list[Pair | Conversation] = list(ITEMS.values())
    assert list(loaded.tag_items(items)) == list(trained.tag_items(items))


def changed(folder: Path, **facts: Any) -> None:
    """Rewrites the manifest in a folder with other facts."""
    path = folder / KIND.manifest
    value = unseal_record(json.loads(path.read_text()))
    if "acts" in facts:
        facts = {"tagger": value["facts"]["tagger"] | facts}
    path.write_text(json.dumps(value | {"facts": value["facts"] | facts}))


MINILM = {"spec": "minilm", "details": {"weights": "0"}}


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"features": cues.VERSION + 1}, "reads other features; make one with `assize acts train"),
        ({"acts": [["Task", "Inform", "x"]]}, "not what it must be"),
        ({"acts": [list(ASK)]}, "has the shape"),
        ({"encoder": MINILM}, "another encoder"),
        ({"encoder": {**MINILM, "spec": "hf:some/model"}}, "give --encoder hf:some/model"),
    ],
)
def test_a_tagger_of_other_features_acts_or_encoder_is_refused(
    facts: Any, told: str, trained: Tagger, tmp_path: Path
) -> None:
    trained.save(tmp_path)
    changed(tmp_path, **facts)
    with pytest.raises(AssizeError, match=told):
        load_tagger(str(tmp_path))


def test_an_encoder_that_is_not_built_in_needs_the_users_word(
    trained: Tagger, tmp_path: Path
) -> None:
    trained.save(tmp_path)
    changed(tmp_path, encoder={**encoder_facts(trained.encoder), "spec": "hf:some/model"})
    assert load_tagger(str(tmp_path), encoder="minilm").signature == trained.signature


def test_without_a_tagger_it_says_how_to_make_one() -> None:
    with pytest.raises(DataError, match="assize acts train"):
        load_tagger()


def test_the_most_probable_act_is_given_where_none_is_probable() -> None:
    chances = np.array([[0.1, 0.2], [0.6, 0.1], [0.4, 0.3]], np.float32)
    assert decide(chances).tolist() == [[False, True], [True, False], [True, True]]

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dialogue_evaluator import dialogues, evaluator_on, llama
from letters import Letters
from tests.evaluator.talks import details_of, scores_of, why_unscored

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Unscored
from assize.encoders import CachedEncoder
from assize.evaluator import load_evaluator
from assize.evaluator._artefact import save
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._features.dialogue import DialogueFeatures
from assize.evaluator._features.featuriser import (
    encode_views,
    feature_rows,
    open_featuriser,
    readable,
)
from assize.evaluator._features.views import View
from assize.evaluator._scoring import score

SHORT = View((Turn("user", "abc"), Turn("assistant", "feed")), "conversation")
LONG = View((Turn("user", "a" * 1500), Turn("assistant", "b")), "conversation")


def test_a_row_is_the_encoders_vector_of_the_whole_dialogue() -> None:
    letters = Letters()
    featuriser = open_featuriser("dialogue", {"long": "windows"})
    assert featuriser.widths(6) == {"dialogue": 6}
    rows = feature_rows([SHORT, LONG], letters, featuriser)
    texts = ["user: abc\nassistant: feed", "user: " + "a" * 1500 + "\nassistant: b"]
    assert letters.seen == texts  # each read once, and as one
    np.testing.assert_array_equal(rows, Letters().encode(texts).vectors.astype(float))
    assert encode_views([SHORT, LONG], letters, featuriser).windows == {texts[1]: 2}


def test_a_dialogue_that_is_too_long_is_refused_before_it_is_encoded(tiny_llama: Path) -> None:
    encoder = llama(tiny_llama, window=30)
    inner: Any = encoder
    inner.model.forward = lambda *args, **named: pytest.fail("it was encoded")
    for chosen in (encoder, CachedEncoder(encoder)):
        why = readable(LONG, chosen, DialogueFeatures("unscored"))
        assert isinstance(why, Unscored)
        assert why.reason == "too_long"
        assert "would take" in why.message
        for featuriser in (DialogueFeatures("windows"), TurnFeatures()):
            assert readable(LONG, chosen, featuriser) is LONG
    assert readable(SHORT, llama(tiny_llama), DialogueFeatures("unscored")) is SHORT


def test_scores_name_what_is_too_long_and_how_it_was_read() -> None:
    talks: list[Item] = [
        Conversation("short", SHORT.turns),
        Conversation("long", LONG.turns),
        Pair("pair", (), SHORT.turns, LONG.turns),
    ]
    strict = list(score(talks, evaluator=evaluator_on(Letters(), "unscored")))
    assert all(row.score is not None for row in strict if row.item == "short")
    lost = [(row.item, row.question, *why_unscored(row)) for row in strict if row.item != "short"]
    assert [(item, name, why) for item, name, why, _ in lost] == [
        ("long", "Overall", "too_long"),
        ("long", "Relevance", "too_long"),
        ("pair", "preference", "too_long"),
    ]
    assert lost[-1][3].startswith("B: ")
    read = list(score(talks, evaluator=evaluator_on(Letters(), "windows")))
    assert all(row.unscored is None for row in read)
    windows = {row.item: details_of(row).get("windows") for row in read}
    assert windows == {"short": None, "long": {"all": 2}, "pair": None}


def test_an_evaluator_of_dialogues_is_kept_and_opened_again(
    tiny_llama: Path, tmp_path: Path
) -> None:
    first = evaluator_on(llama(tiny_llama, window=64), "unscored")
    save(first, tmp_path / "mine")
    again = load_evaluator(tmp_path / "mine", encoder=f"hf:{tiny_llama}")
    assert (again.signature, again.featuriser) == (first.signature, DialogueFeatures("unscored"))
    assert scores_of(again, dialogues(4), "Overall") == scores_of(first, dialogues(4), "Overall")
    with pytest.raises(ConfigError, match=r"template 'chat' \(here None\)"):
        load_evaluator(tmp_path / "mine", encoder=f"hf:{tiny_llama}?template=plain")


def test_another_treatment_of_long_dialogues_is_refused() -> None:
    with pytest.raises(ConfigError, match="known: windows, unscored"):
        DialogueFeatures("cut")  # type: ignore[arg-type]

"""Training a tagger: what can be learnt is learnt, the same every time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from acts_taught import ASK, FIRST, ITEMS, TELL, THANK

from assize.acts._annotations import Annotation, gather
from assize.acts._cues import Utterance
from assize.acts._tagger import AGAIN, COMMON, MICRO, Tagger, TaggerFigures, probabilities
from assize.acts._tagging import Examples, examples, f1, fit, fit_tagger
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Conversation, Pair
from assize.base.errors import DataError
from assize.encoders import load_encoder
from assize.formats import read, read_judgments


def f1_of(figures: TaggerFigures) -> dict[str, float]:
    return {row.who: row.f1 for row in figures.scores}


def test_what_words_tell_is_learnt_and_held_out_conversations_are_tagged_right(
    trained: Tagger,
) -> None:
    figures: Any = trained.figures
    assert (figures.turns, figures.conversations) == (100, 20)
    assert f1_of(figures)[MICRO] > 0.95
    assert f1_of(figures)[COMMON] < 0.8
    assert f1_of(figures)[AGAIN] == 1
    new = [
        Utterance("Where does it grow?", "", True, False),
        Utterance("Thanks so much!", "It is here.", True, False),
    ]
    assert trained.tag(new) == [[ASK], [THANK]]


def test_training_twice_gives_the_same_tagger(trained: Tagger) -> None:
    again = fit_tagger(examples(ITEMS, FIRST, FIRST), trained.encoder)
    assert again.signature == trained.signature
    other = fit_tagger(examples(ITEMS, FIRST, FIRST), trained.encoder, least=21)
    assert other.signature != trained.signature


def test_the_fit_finds_the_minimum_of_its_loss() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3)).astype(np.float32)
    y = rng.random((200, 2)) < 0.4
    weight, bias = fit(x, y)
    slope = probabilities(x, weight, bias) - y
    assert np.abs(x.T @ slope + weight).max() < 0.05  # the gradient, by hand: a penalty of 1
    assert np.abs(slope.sum(axis=0)).max() < 0.05


def test_an_act_of_all_turns_or_of_none_is_learnt_without_weights() -> None:
    x = np.eye(4, dtype=np.float32)
    weight, bias = fit(x, np.array([[True, False]] * 4))
    assert not weight.any()
    assert probabilities(x, weight, bias)[0] == pytest.approx([0.9999, 0.0001], rel=1e-3)


def test_f1_by_hand() -> None:
    assert f1([("a", "ab"), ("ab", "b"), ("", "")]) == pytest.approx(2 * 2 / (3 + 3))
    assert np.isnan(f1([("", "")]))


def test_too_few_conversations_or_turns_are_refused() -> None:
    few = dict(list(FIRST.items())[:9])
    with pytest.raises(DataError, match="at least 10"):
        examples(ITEMS, few, {})
    found = examples(ITEMS, FIRST, {})
    with pytest.raises(DataError, match="no act has 1000 turns"):
        fit_tagger(found, load_encoder("minilm", precision="int8"), least=1000)


def test_items_whose_labels_do_not_fit_their_turns_are_passed_over() -> None:
    short = Annotation("p0", ("user",), ((ASK,),), ((TELL,),), ((ASK,),))
    found = examples(ITEMS, FIRST | {"p0": short}, {})
    assert isinstance(found, Examples)
    assert len(found.turns) == 95


DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "amulet-hh-test"


@pytest.mark.nightly("trains on the research data")
@pytest.mark.skipif(not DATA.is_dir(), reason="the research data are not here")
def test_on_a_part_of_gpt_4os_acts_it_is_far_better_than_the_most_common_act() -> None:
    items = {one.id: one for one in read(DATA / "instances.jsonl") if isinstance(one, Pair)}
    table = read_judgments([DATA / "outputs-gpt4o.jsonl.gz"])
    judge = "da@openai:gpt-4o-2024-08-06"
    votes = gather(table, items, acts=judge, maxims=None, taxonomy=load_taxonomy())
    some = dict(list(votes.acts["first"].items())[:80])
    known: dict[str, Pair | Conversation] = dict(items)
    found = examples(known, some, votes.acts["second"])
    figures: Any = fit_tagger(found, load_encoder("minilm", precision="int8"), least=25).figures
    assert f1_of(figures)[MICRO] > f1_of(figures)[COMMON] + 0.1
    assert f1_of(figures)[AGAIN] > 0.85

from __future__ import annotations

import numpy as np
import pytest
from letters import Letters
from scripts.default_evaluator.carryover import CHOICES
from scripts.default_evaluator.held_out import HeldOut
from scripts.default_evaluator.study import Study, choose, train
from tests.scripts.default_evaluator.conftest import two_corpora, two_dimensions

from assize.base.conversation import Conversation, Turn
from assize.evaluator._scoring import score


def test_a_study_measures_each_dimension_and_what_is_known_to_be_bad(
    studied: Study,
) -> None:
    assert [one.dimension for one in studied.dimensions] == two_dimensions()
    assert all(held.measure().estimate > 0.5 for held in studied.dimensions[0].held_out)
    assert studied.known_bad["overall"].estimate > 0.9
    assert studied.dimensions[0].unseen == ()  # there are no other corpora in the folder


def test_what_is_trained_answers_each_dimension_and_has_one_signature() -> None:
    evaluator, again = (train(two_corpora(), Letters(), two_dimensions()) for _ in range(2))
    said = (Turn("user", "abc"), Turn("assistant", "abd"))
    rows = list(score([Conversation("c", said)], evaluator=evaluator))
    assert [row.question for row in rows] == ["overall", "second"]
    assert evaluator.about["data"]["ieval"]["conversations"] == 120
    assert evaluator.signature == again.signature


def made_up(corpus: str, inside: float, **quality: float) -> HeldOut:
    """Predictions whose correlation with people is about that of the models named."""
    rng = np.random.default_rng(len(corpus))
    target = rng.normal(size=4000)
    predicted = {
        name: share * target + np.sqrt(1 - share**2) * rng.normal(size=4000)
        for name, share in {"inside": inside, **quality}.items()
    }
    return HeldOut(corpus, "corpus", "conversation", predicted, target, np.arange(4000) // 40)


def test_the_recipe_with_the_highest_mean_and_worst_share_is_chosen() -> None:
    one, *others, four = (", ".join(heads) for heads in CHOICES)
    poor = dict.fromkeys(others, 0.05)
    found = [
        made_up("a", 0.8, **poor, **{one: 0.8, four: 0.7}),
        made_up("bb", 0.8, **poor, **{one: 0.8, four: 0.7}),
        made_up("uss-sgd", 0.4, **poor, **{one: 0.1, four: 0.3}),
        made_up("uss-mwoz", 0.4, **poor, **{one: 0.1, four: 0.3}),
    ]
    chosen = choose(found)
    assert list(chosen[one].figures) == ["a", "bb", "uss"]
    assert (chosen[four].best, chosen[one].best) == (True, False)
    assert (chosen[one].worst, chosen[one].mean) == pytest.approx((0.25, 0.75), abs=0.1)
    # with the third corpus hidden the other one is chosen
    assert (chosen[one].hidden, chosen[four].hidden) == (1, 2)

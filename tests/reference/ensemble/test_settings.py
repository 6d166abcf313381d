from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.reference._ensemble.models.learners import LEARNERS
from assize.reference._ensemble.settings import OWN, OwnEnsemble, PublishedEnsemble, Settings


def test_one_corpus_has_the_blend_and_several_have_what_carries_over() -> None:
    assert Settings().learner(standardised=False) == "blend"
    assert Settings().learner(standardised=True) == "robust"
    assert Settings(model="svm").learner(standardised=True) == "svm"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"model": "lasso"}, "no model 'lasso'; there are blend, robust"),
        ({"compared": ("lasso",)}, "no model 'lasso'"),
        ({"missing": "zero"}, "allowed are unscored and impute"),
        ({"folds": 1}, "folds: received 1, allowed is at least 2"),
        ({"confidence": 1.0}, "allowed is 0.5 to 0.999"),
        ({"confidence": 0.2}, "allowed is 0.5 to 0.999"),
    ],
)
def test_what_is_not_allowed_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Settings(**given)


@pytest.mark.parametrize(
    ("written", "learner"),
    [
        ("forest", "paper-forest"),
        ("svm", "paper-svm"),
        ("tree", "paper-tree"),
        ("linear", "linear"),
        ("paper-svm", "paper-svm"),
    ],
)
def test_the_paper_s_models_are_four_and_learn_from_annotations(written: str, learner: str) -> None:
    found = PublishedEnsemble(written).settings(folds=3)
    assert found.folds == 3
    assert found.learner(standardised=False) == learner
    assert found.annotations
    assert len(found.compared) == 4


def test_the_paper_has_no_other_model() -> None:
    with pytest.raises(ConfigError, match="it has linear, svm, forest and tree"):
        PublishedEnsemble("lasso").settings()


def test_an_own_ensemble_compares_where_it_is_asked_to() -> None:
    assert OwnEnsemble("svm", compare=True).settings().compared == OWN
    assert OwnEnsemble("svm").settings() == Settings(model="svm")


def test_what_is_compared_are_learners() -> None:
    assert set(OWN) <= set(LEARNERS)

from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.reference._metrics.table import METRICS, PAPER, PRESETS, chosen_metrics


def test_every_metric_has_a_question_that_says_what_it_is() -> None:
    for name, metric in METRICS.items():
        assert metric.question.id == name
        assert metric.question.kind == "number"
        assert len(metric.about) >= 10
        assert metric.mean.id == f"{name}-mean"


def test_all_are_chosen_where_none_are_named() -> None:
    assert chosen_metrics(None) == tuple(METRICS)


def test_names_come_in_the_tables_order() -> None:
    assert chosen_metrics(["rouge1-f1", "cosine"]) == ("cosine", "rouge1-f1")
    assert chosen_metrics("rouge1-f1") == ("rouge1-f1",)


def test_the_papers_preset_holds_its_eight_and_what_they_are_made_of() -> None:
    assert len(PAPER) == 8
    assert set(PAPER) <= set(PRESETS["paper"].metrics)
    assert len(chosen_metrics("paper")) == 16


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (["rouge1"], r"no metric 'rouge1'; did you mean 'rougel-f1'\?"),
        (["bleu"], "no metric 'bleu'"),
        ([], "metrics is empty"),
    ],
)
def test_an_unknown_metric_is_refused_with_what_there_is(named: list[str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        chosen_metrics(named)


def test_what_picks_a_reference_is_a_metric() -> None:
    assert {one.by for one in METRICS.values()} - {None} <= METRICS.keys()

from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.reference._metrics.table import METRICS, PAPER, PRESETS, chosen_metrics


def test_every_metric_has_a_question_that_says_what_it_is() -> None:
    for name, metric in METRICS.items():
        assert (metric.question.id, metric.question.kind) == (name, "number")
        assert (metric.mean.id, len(metric.about) >= 10) == (f"{name}-mean", True)
        assert metric.by is None or metric.by in METRICS


@pytest.mark.parametrize("name", ["sentiment", "formality"])
def test_a_shift_is_at_most_as_wide_as_what_shifts(name: str) -> None:
    low, high = METRICS[name].question.range or (0, 0)
    assert METRICS[f"{name}-shift"].question.range == (low - high, high - low) != (0, 0)


def test_names_come_in_the_tables_order_and_all_where_none_are_named() -> None:
    assert chosen_metrics(None) == tuple(METRICS)
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

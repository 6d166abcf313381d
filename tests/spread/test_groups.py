"""Groups of conversations, the raters who count, and pairs by prompt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.spread.simulated import of_scores

from assize.base.errors import ConfigError
from assize.spread import Ratings, SpreadOptions
from assize.spread.groups import choose_panel, make_groups, name_panel, pair_groups


def test_a_filter_and_a_field_give_each_conversation_a_group(ratings: Ratings) -> None:
    groups = make_groups(ratings, SpreadOptions(by="system", where="metadata.topic:plots"))
    assert groups.names == ["new", "old"]
    assert np.bincount(groups.code + 1).tolist() == [40, 10, 10]
    with pytest.raises(ConfigError, match="give field:value"):
        make_groups(ratings, SpreadOptions(where="topic"))


def test_raters_are_chosen_by_name_or_group_else_the_first_group_that_answered(
    ratings: Ratings,
) -> None:
    length, first = ratings.question("length"), ratings.question("Q0")
    names = list(ratings.raters)
    assert [names[row] for row in choose_panel(ratings, ["rater 2", "models"], first)] == [
        "calibration:rater 2",
        "io@m",
    ]
    assert name_panel(ratings, choose_panel(ratings, (), first)) == "6 predicted raters"
    assert name_panel(ratings, choose_panel(ratings, ["io@m"], length)) == "2 people"


def test_conversations_with_the_same_prompt_are_a_pair() -> None:
    ratings = of_scores(np.ones((6, 1)), systems=["old", "new"] * 3)
    pairs: Any = pair_groups(ratings, make_groups(ratings, SpreadOptions(by="system")), 1)
    assert (pairs[0][1::2] >= 0).all()
    assert (pairs[0][::2] == -1).all()
    assert pairs[0][1::2].tolist() == pairs[1][::2].tolist()
    alone = of_scores(np.ones((6, 1)), systems=["old", "old", "old", "new", "new", "new"])
    assert pair_groups(alone, make_groups(alone, SpreadOptions(by="system")), 1) is None

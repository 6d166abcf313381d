"""What is taught: judgments of the evaluations, and folds with labels in each."""

from __future__ import annotations

import numpy as np
import pytest
from tests.criteria.conftest import SET

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.criteria._clusters import Clusters
from assize.criteria._distilled.heads import Line
from assize.criteria._distilled.lessons import dealt, learnable, lessons_of, unlearnt
from assize.formats.labels import Labels

CHATS = [Conversation(f"c{at}", (Turn("user", "Hi"),)) for at in range(40)]
VALUES = np.random.default_rng(0).uniform(0, 10, (40, 3))
LABELS = Labels("made", {f"c{at}": at % 3 == 0 for at in range(30)})


def test_folds_have_their_share_of_each_label_and_of_none() -> None:
    given = dealt(CHATS, VALUES, LABELS, None, 5, 0)
    assert given.good[:4].tolist() == [1, 0, 0, 1]
    assert np.isnan(given.good[30:]).all()
    for kind, each in ((given.good == 1, 2), (given.good == 0, 4), (np.isnan(given.good), 2)):
        assert np.bincount(given.fold[kind], minlength=5).tolist() == [each] * 5


def test_clusters_are_in_one_fold() -> None:
    users = Clusters("user", {one.id: f"u{at // 2}" for at, one in enumerate(CHATS)})
    given = dealt(CHATS, VALUES, LABELS, users, 4, 0)
    assert (given.fold[::2] == given.fold[1::2]).all()
    with pytest.raises(DataError, match="11 folds of 20 clusters by user: at least 22"):
        dealt(CHATS, VALUES, LABELS, users, 11, 0)


def test_too_few_labels_are_an_error_and_none_are_not() -> None:
    few = Labels("made", {f"c{at}": at == 0 for at in range(30)})
    with pytest.raises(DataError, match="1 good conversations for 2 folds: 4 are needed"):
        dealt(CHATS, VALUES, few, None, 2, 0)
    assert np.isnan(dealt(CHATS, VALUES, None, None, 2, 0).good).all()


def test_a_criterion_that_varies_in_one_fold_alone_cannot_be_learnt() -> None:
    values = VALUES.copy()
    values[:, 1] = 5.0
    values[3, 1] = 9.0
    assert learnable(dealt(CHATS, values, None, None, 5, 0)) == [0, 2]


def test_lessons_are_the_evaluations_with_what_is_unscored() -> None:
    values = VALUES.copy()
    values[7, 2] = np.nan
    table = lessons_of(dealt(CHATS, values, None, None, 2, 0), SET, [0, 2])
    assert table.asked == ("line", "again")
    assert table.questions["again"].higher == "worse"
    assert table.questions["line"].range == (0, 10)
    rows = {(row.item, row.question): row for row in table}
    assert rows["c3", "line"].score == values[3, 0]
    assert rows["c7", "again"].unscored is not None
    assert len(table) == 80


def test_what_the_text_does_not_tell_is_named() -> None:
    lines = [Line(1.0, 5.0), Line(0.0, 6.0), Line(0.0, 4.0)]
    (said,) = unlearnt(SET.criteria, lines)
    assert said.startswith("2 criteria cannot be told from the text here")
    assert said.endswith("works, again")
    assert unlearnt(SET.criteria, [Line(1.0, 5.0)] * 3) == []

"""An open view answers by name, and says what there is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.web._dashboard.prepared.view import NONE, Fields, View, open_view


def test_an_opened_view_is_the_one_that_was_written(view: View) -> None:
    again = open_view(view.folder)
    assert (again.questions, again.raters, again.size) == (view.questions, view.raters, view.size)
    assert np.array_equal(again.cells("Q0").value, view.cells("Q0").value)


def test_arrays_are_mapped_and_not_read(view: View) -> None:
    assert isinstance(open_view(view.folder).cells("Q0").value, np.memmap)


def test_names_of_conversations_are_found_both_ways(view: View) -> None:
    assert view.ids[3] == "c/003"
    assert view.ids.places["c/003"] == 3
    assert view.ids.all()[:2] == ["c/000", "c/001"]


def test_what_is_not_there_is_named_with_what_is(view: View) -> None:
    with pytest.raises(ConfigError, match=r"no question 'Q9'.*Q0, Q1, Q2"):
        view.question("Q9")
    with pytest.raises(ConfigError, match=r"no field 'mood'.*system"):
        view.fields.place("mood")


def test_a_folder_without_a_view_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no prepared view"):
        open_view(tmp_path)


def test_conversations_with_a_value_are_found_by_field_and_value() -> None:
    codes = np.array([[0, 1, 0, 2], [1, 1, 0, 0]], dtype=np.int32)
    fields = Fields(["kind", "kind:of"], [["a", "of:b", NONE], ["b", "c"]], codes)
    assert fields.having("kind:a").tolist() == [True, False, True, False]
    assert fields.having(f"kind:{NONE}").tolist() == [False, False, False, True]
    assert fields.having("kind:of:b").tolist() == [False, False, True, True]  # the longer field
    with pytest.raises(ConfigError, match="kind is never 'x'; it is a, of:b"):
        fields.having("kind:x")
    with pytest.raises(ConfigError, match="fields are kind, kind:of"):
        fields.having("a")

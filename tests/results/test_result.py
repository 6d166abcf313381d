"""What every result can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from assize.base.errors import ConfigError
from assize.results import Hidden, Records, Result, ResultTable, derive
from assize.results.columns import columns


class Two(Result):
    """Two tables, one with a name that is hostile."""

    lines = ("question \x1b[31m\n::error::x",)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        named = columns("words", "who") + columns("number", "mean")
        return {
            "first": ResultTable("First", named, [("<b>x</b>\x1b[31m", 0.5)]),
            "second": ResultTable("Second", named, [("y", float("nan"))]),
        }


def test_it_prints_all_tables_and_lines_and_nothing_acts() -> None:
    said = str(Two())
    assert said.index("First") < said.index("Second")
    assert said.endswith("question \\x1b[31m\n\\x3a:error\\x3a:x")
    assert "\x1b" not in said


class Empty(Result):
    tables = {}  # noqa: RUF012


@dataclass(frozen=True, slots=True)
class Record(Two):
    rows: tuple[float, ...]


def test_it_is_a_line_of_its_own_in_a_list_and_at_a_prompt() -> None:
    assert repr(Record(tuple(map(float, range(1_000))))) == "<Record: first, second>"
    assert repr(Empty()) == "<Empty>"


def test_a_notebook_shows_it_without_markup_of_the_data() -> None:
    shown = Two()._repr_html_()
    assert shown.count("<table>") == 2
    assert "<b>x" not in shown
    assert '<pre class="quiet">question ' in shown


def test_a_table_leaves_as_frame_and_latex_by_its_name_or_the_first() -> None:
    assert Two().to_pandas()["mean"].tolist() == [0.5]
    assert Two().to_pandas("second")["who"].tolist() == ["y"]
    assert Two().to_csv("second") == "who,mean\ny,\n"
    assert Two().to_latex().count(r"\begin{tabular}") == 2
    assert Two().to_latex("second").count(r"\begin{tabular}") == 1


def test_a_table_that_is_not_there_is_said() -> None:
    with pytest.raises(ConfigError, match="no table 'third'; there are first, second"):
        Two().to_pandas("third")
    with pytest.raises(ConfigError, match="kind Empty has no table"):
        Empty().to_pandas()


def test_what_a_result_does_not_say_is_nothing() -> None:
    one = Empty()
    assert (one.lines, one.notes, one.unfinished, one.interrupted, one.missing) == (
        (),
        (),
        [],
        False,
        (0, 0),
    )


@dataclass(frozen=True, slots=True)
class Session(Records[str]):
    words: Sequence[str] = ("a", "b")
    n: int = 12
    unscored: int = 3
    interrupted: bool = False
    waiting: Hidden[int] = 0
    letters: int = field(init=False)

    def __post_init__(self) -> None:
        derive(self, letters=sum(map(len, self.words)))


def test_why_a_run_is_not_at_its_end() -> None:
    assert Session().unfinished == []
    interrupted, waiting = Session(interrupted=True, waiting=3).unfinished
    assert "the same command continues" in interrupted
    assert waiting.startswith("3 answers wait for a batch")


def test_a_run_misses_what_its_fields_count() -> None:
    assert Session().missing == (3, 12)


def test_records_are_those_of_the_first_field() -> None:
    assert (list(Session()), len(Session())) == (["a", "b"], 2)


def test_a_field_that_follows_from_others_is_derived() -> None:
    assert Session(words=["one", "two"]).letters == 6

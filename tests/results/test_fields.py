"""Tables and headline figures follow from the types of fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import pytest

from assize.results import Column, Estimate, PValue, Result, Share, Table, to_json
from assize.results.fields import Counts, make_table
from assize.results.numbers import LeastP

KAPPA = Estimate(0.5, (0.4, 0.6), n=10, unscored=2)


@dataclass(frozen=True, slots=True)
class Pair:
    question: str
    judge: str
    side: Literal["A", "B"]
    gold: bool
    words: Sequence[str]
    kappa: Estimate | None = None
    p: PValue = 0.03
    rmse: Annotated[Estimate | None, Column(extra=True)] = None
    by_rater: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Agreement(Result):
    pairs: Annotated[Sequence[Pair], Table("Each two judges", "How they agree.", "question")]
    shares: Annotated[Mapping[str, Share], Table("Shares", key="rater")] = field(
        default_factory=dict
    )
    judged: Annotated[int, Column("items judged")] = 12
    kappa: Estimate = KAPPA
    name: str = "agreement"
    working: object = field(default=None, repr=False)
    notes: Sequence[str] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    signature: str = ""


def pair(question: str = "clear", judge: str = "m", **values: object) -> Pair:
    """A row with some values of its own."""
    usual: dict[str, object] = {"side": "A", "gold": True, "words": ("x", "y"), "kappa": KAPPA}
    return Pair(question, judge, **{**usual, **values})  # type: ignore[arg-type]


def names(result: Result, table: str) -> list[str]:
    """Headings of the columns that a text shows."""
    return [column.name for column in result.tables[table].texts()[0]]


def test_fields_are_columns_read_by_their_types() -> None:
    table = Agreement([pair(rmse=KAPPA)]).tables["pairs"]
    kinds = {column.name: column.kind for column in table.columns}
    assert kinds["judge"] == kinds["side"] == kinds["gold"] == kinds["words"] == "words"
    assert (kinds["kappa"], kinds["p"], kinds["n"]) == ("number", "p", "count")
    row = dict(zip(kinds, table.rows[0], strict=True))
    assert (row["gold"], row["words"], row["kappa"]) == ("yes", "x, y", KAPPA)


def test_a_result_without_n_and_unscored_of_its_own_shows_those_of_its_figures() -> None:
    result = Agreement([pair(), pair(judge="other", kappa=Estimate(0.1, n=7, unscored=5))])
    assert names(result, "pairs")[-2:] == ["n", "unscored"]
    assert [row[-2:] for row in result.tables["pairs"].rows] == [[10, 2], [7, 5]]
    assert "unscored" in str(result)


def test_groups_head_their_rows_and_an_only_group_is_in_the_title() -> None:
    rows = [pair("clear", "a"), pair("kind", "a"), pair("clear", "b")]
    several = Agreement(rows).tables["pairs"]
    assert (several.grouped, several.title) == (True, "Each two judges")
    assert [row[0] for row in several.rows] == ["clear", "clear", "kind"]
    alone = Agreement([pair("clear"), pair("clear", "other")]).tables["pairs"]
    assert (alone.grouped, alone.title) == (False, "clear: Each two judges")
    assert "question" not in [column.name for column in alone.columns]
    assert Agreement([pair("")]).tables["pairs"].title == "Each two judges"


def test_figures_by_name_are_a_column_each_in_order_of_appearance() -> None:
    rows = [pair(by_rater={"b": 1.0}), pair(judge="other", by_rater={"a": 2.0, "b": 3.0})]
    table = Agreement(rows).tables["pairs"]
    place = [column.name for column in table.columns].index("b")
    assert [column.name for column in table.columns][place : place + 2] == ["b", "a"]
    assert [row[place : place + 2] for row in table.rows] == [[1.0, None], [3.0, 2.0]]


def test_records_by_name_have_their_name_in_the_first_column() -> None:
    result = Agreement([], {"ann": Share(0.5, n=4, count=2)})
    assert list(result.tables) == ["shares"]
    assert names(result, "shares") == ["rater", "figure", "n", "unscored"]
    assert "2 (50.0%)" in str(result)


def test_figures_of_the_result_itself_are_its_headline() -> None:
    headline = Agreement([pair()]).headline
    assert headline == {
        "items judged": ("12", ""),
        "kappa": ("0.500", "[0.400, 0.600], n 10, 2 unscored"),
    }
    assert str(Agreement([pair()])).startswith("items judged: 12\n")


def test_an_extra_column_is_in_json_and_frames_only() -> None:
    result = Agreement([pair(rmse=KAPPA)])
    assert "rmse" not in names(result, "pairs")
    assert "rmse" in result.to_pandas("pairs").columns
    assert result.to_json()["pairs"][0]["rmse"]["n"] == 10


def test_working_data_is_never_shown() -> None:
    result = Agreement([pair()], working="secret")
    assert "secret" not in f"{result}{result!r}{result.to_json()}{result._repr_html_()}"


def test_a_result_inside_another_has_its_tables_there() -> None:
    assert list(Outer(Agreement([pair()])).tables) == ["pairs"]


@dataclass(frozen=True)
class Outer(Result):
    agreement: Agreement

    @property
    def inner(self) -> Sequence[Result]:
        """The agreement."""
        return (self.agreement,)


def test_the_line_of_settings_ends_with_the_signature() -> None:
    result = Agreement([pair()], settings={"seed": 0, "gold": None}, signature="abc")
    assert result.lines == ["seed=0|abc"]
    assert result.to_json()["signature"] == "abc"


@dataclass(frozen=True)
class Long(Result):
    rows: Annotated[Sequence[Pair], Table("Rows", most=2, notes=["A note."])]


@pytest.mark.parametrize("show", [str, lambda result: result._repr_html_()])
def test_a_long_table_says_how_many_rows_it_leaves_out(show: object) -> None:
    result = Long([pair(judge=str(number)) for number in range(5)])
    assert callable(show)
    assert "3 further rows are not shown." in show(result)
    assert "A note." in show(result)
    assert len(result.to_pandas()) == len(result.to_json()["rows"]) == 5


def test_names_that_only_the_data_know_stand_as_they_are() -> None:
    result = Agreement([pair(by_rater={"is_clear": 1.0, "n": 2.0})])
    assert names(result, "pairs")[-4:] == ["is_clear", "n", "n", "unscored"]


@dataclass(frozen=True)
class TwoFigures:
    judge: str
    kappa: Estimate
    alpha: Estimate


def test_figures_of_a_row_that_rest_on_different_numbers_have_them_behind_each() -> None:
    text = str(make_table([TwoFigures("m", KAPPA, Estimate(0.2, n=4))], Table("Rows")))
    assert "(10; 2 unscored)" in text
    assert "(4)" in text


def test_counts_that_are_the_same_down_a_column_stand_once_below_the_table() -> None:
    many, few = Estimate(0.5, n=1200), Estimate(0.25, n=30, unscored=2)
    rows = [TwoFigures("Inform", many, few), TwoFigures("Answer", many, few)]
    table = make_table(rows, Table("Acts"))
    assert "(1,200)" not in str(table)
    assert table.notes == ("n: kappa 1,200; alpha 30, 2 unscored.",)
    one_differs = make_table([*rows, TwoFigures("Ask", replace(many, n=7), few)], Table("Acts"))
    assert "(7)" in str(one_differs)
    assert one_differs.notes == ("n: alpha 30, 2 unscored.",)


@dataclass(frozen=True)
class Counted:
    n: int
    unscored: int
    accuracy: Estimate
    decided: Estimate


def test_figures_that_rest_on_fewer_rows_than_their_record_say_so() -> None:
    rows = [Counted(7, 0, Estimate(0.5, n=7), Estimate(0.75, n=4))]
    text = str(make_table(rows, Table("Rows")))
    assert "0.750 (4)" in text
    assert "0.500 (7)" not in text


@dataclass(frozen=True)
class Losses:
    losses: Mapping[str, Annotated[Estimate, Column(blanks=True)]]


def test_names_that_the_program_chose_have_blanks() -> None:
    row = Losses({"log_loss": KAPPA})
    shown = make_table([row], Table("Rows")).texts()[0]
    assert [column.name for column in shown] == ["log loss", "n", "unscored"]
    assert list(to_json(row)["losses"]) == ["log_loss"]


@dataclass(frozen=True)
class Answers:
    judge: str
    answers: Counts


def test_counts_by_name_stand_in_one_cell() -> None:
    table = make_table([Answers("a", {"A": 1200, "tie": 1})], Table("Answers"))
    assert table.rows == [["a", "A: 1,200, tie: 1"]]


@dataclass(frozen=True)
class Good(Result):
    good: Annotated[Share, Column("good ones")]


def test_a_share_is_in_percent_under_any_heading() -> None:
    result = Good(Share(0.5, (0.3, 0.7), n=4, count=2))
    assert result.headline == {"good ones": ("2 (50.0%)", "[30.0%, 70.0%], n 4")}


def test_p_values_at_their_floor_are_counted_below_the_table() -> None:
    rows = [Pair("q", "j", "A", False, [], p=p) for p in (LeastP(0.06), LeastP(0.06), 0.3)]
    table = make_table(rows, Table("Pairs"))
    assert "p: 2 of 3 are as low as so few permutations can show" in table.notes[-1]
    shown = [str(table), table.to_markdown(), table.to_latex(), table.to_html()]
    assert all(text.count("0.060") == 2 for text in shown)
    assert "<0.060" in shown[0]
    assert "$<$0.060" in shown[2]
    plain = make_table([replace(row, p=float(row.p)) for row in rows], Table("Pairs"))
    assert not any("as low as" in note for note in plain.notes)

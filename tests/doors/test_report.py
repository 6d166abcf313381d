"""The page of judgments, and of any result."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from assize import Conversation, Judgment, JudgmentTable, Turn, agree, check, report
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Unscored
from assize.criteria._criterion import CriteriaSet, Criterion
from assize.formats import read, write
from assize.pages.result_page import CHARTS
from assize.results import Result
from assize.spread import Resampling, SpreadOptions

pytest.importorskip("vl_convert")
ROWS = [
    Judgment("a", "j", "overall", score=0.25),
    Judgment("b", "j", "overall", score=0.75),
    Judgment("b", "j", "clarity", answer="4"),
    Judgment("c", "j", "overall", unscored=Unscored("refused", "no")),
]
SET = CriteriaSet("one", (Criterion("c", "Helps.", "sat"),))
ITEMS = [
    Conversation(name, (Turn("user", f"<b>{name}</b> asks"), Turn("assistant", "answer")))
    for name in ("a", "c")
]


@pytest.mark.parametrize("given", [ROWS, JudgmentTable.of(ROWS)])
def test_judgments_in_memory_become_a_page_and_its_numbers(
    given: Sequence[Judgment] | JudgmentTable, tmp_path: Path
) -> None:
    out = tmp_path / "page.html"
    written = report(given, str(out), items=ITEMS, title="My <run>", reproduce=["assize report x"])
    assert written.notes == [str(written)] == [f"{out}: 3 items, 1 of them not scored"]
    text = out.read_text()
    for part in ("My &lt;run&gt;", "&lt;b&gt;a&lt;/b&gt; asks", "assize report x"):
        assert part in text
    value = written.to_json()
    figures = value["figures"]
    assert (value["path"], figures["items"], figures["unscored"]) == (str(out), 3, 1)
    assert figures["questions"]["overall"]["mean"]["estimate"] == 0.5
    assert figures["signature"]


def test_a_run_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    write(tmp_path / "run" / "judgments.jsonl", ROWS)
    assert report(tmp_path / "run", tmp_path / "page.html").to_json()["figures"]["judgments"] == 4


def test_the_question_the_order_and_the_number_of_items_can_be_chosen(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert report(ROWS, out, question="clarity").to_json()["figures"]["question"] == "clarity"
    report(ROWS, out, first="highest", keep=1)
    text = out.read_text()
    assert "Highest items first" in text
    assert text.count('<details class="item"') == 1


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"first": "best"}, "first best: allowed are lowest, highest, closest and decided"),
        ({"question": "zz"}, "no question 'zz'; asked were overall, clarity"),
        ({"keep": -1}, "keep: received -1, allowed is at least 0"),
        ({"criteria": SET, "question": "overall"}, "question is not for the page of criteria"),
    ],
)
def test_what_cannot_be_is_said(options: dict[str, Any], problem: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=problem):
        report(ROWS, tmp_path / "page.html", **options)
    assert not (tmp_path / "page.html").exists()


def test_bad_records_are_left_out_on_request_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("rows.jsonl", ROWS)
    write("items.jsonl", ITEMS)
    for name in ("rows.jsonl", "items.jsonl"):
        with open(name, "a") as stream:
            stream.write("no record\n")
    with pytest.raises(DataError, match=r"rows\.jsonl:5"):
        report("rows.jsonl", "page.html")
    with pytest.raises(DataError, match=r"items\.jsonl:3"):
        report(ROWS, "page.html", items="items.jsonl")
    rows, items = (read(name, on_error="skip") for name in ("rows.jsonl", "items.jsonl"))
    report(rows, "page.html", items=items)
    assert [reject.line for reject in (*rows.rejects, *items.rejects)] == [5, 3]
    done = run("report", "rows.jsonl", "--items", "items.jsonl", "--on-error", "skip")
    for name in ("rejects.jsonl", "items.rejects.jsonl"):
        assert f"1 bad record was left out: see {name}" in done.stderr
        assert len(Path(name).read_text().splitlines()) == 1


def test_a_result_has_a_page_of_its_own_kind_and_writes_it_itself(tmp_path: Path) -> None:
    rows = [
        Judgment(f"i{at}", judge, "q", score=float(at % 5 + place))
        for at in range(20)
        for place, judge in enumerate(("gold", "one"))
    ]
    result = agree(rows)
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    written = report(result, one, title="Who <agrees>")
    assert written.to_json() == {"path": str(one)}
    assert written.notes == [f"{one}: the page is written"]
    assert "Who &lt;agrees&gt;" in one.read_text()
    assert f'href="{one}"' in written._repr_html_()
    result.report(str(two))
    assert result.signature in two.read_text() or "Agreement between judges" in two.read_text()


def test_what_a_result_cannot_have_is_said(tmp_path: Path) -> None:
    result = agree([Judgment("i", judge, "q", score=1.0) for judge in ("gold", "one")])
    with pytest.raises(ConfigError, match="question is for judgments"):
        report(result, tmp_path / "page.html", question="q")
    with pytest.raises(ConfigError, match="items is for judgments"):
        report(result, tmp_path / "page.html", items=ITEMS)


def test_a_result_that_draws_nothing_has_a_page_of_its_tables(tmp_path: Path) -> None:
    report(check(ITEMS), tmp_path / "page.html")
    assert "What each file was read as." in (tmp_path / "page.html").read_text()


def load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def test_every_drawing_is_a_function_of_a_result_that_there_is() -> None:
    for kind, function in CHARTS.items():
        assert issubclass(load(f"assize.{kind}"), Result)
        assert callable(load(function))


def test_how_answers_are_spread_has_a_page_of_its_own(tmp_path: Path) -> None:
    rows = [
        Judgment(f"i{item}", rater, "q", score=float(item % 5), kind="person")
        for item in range(20)
        for rater in ("ann", "bob")
    ]
    page = tmp_path / "spread.html"
    told = report(rows, page, spread=SpreadOptions(resampling=Resampling(replicates=20)))
    assert str(told) == f"{page}: the page is written"
    assert "How answers are spread" in page.read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="is not for spread"):
        report(rows, page, first="lowest", spread=SpreadOptions())

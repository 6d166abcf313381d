"""HTML, Markdown and LaTeX: what they hold, and that no text acts."""

from __future__ import annotations

import re

import pytest

from assize.results import Column, Ranked, ResultTable
from assize.results.columns import columns
from assize.stats import Estimate

EVIL = (
    "</td><script>alert(1)</script>\"' | [x](javascript:y) `z` \\end{tabular} & $a_b$ 5%\u202e\x00"
)
TABLE = ResultTable(
    "Caption",
    columns("words", "name") + columns("number", "mean", digits=2, ends="below"),
    [("a", Estimate(0.5, (0.25, 0.75))), ("b", float("nan"))],
    ["A note."],
)


def hostile() -> ResultTable:
    return ResultTable(EVIL, columns("words", EVIL, "b"), [(EVIL, EVIL)], [EVIL])


def test_html_has_a_caption_scopes_and_small_intervals() -> None:
    text = TABLE.to_html()
    assert "<caption>Caption</caption>" in text
    assert (text.count('scope="col"'), text.count('scope="row"')) == (2, 2)
    assert "<td>0.50<small>0.25..0.75</small></td>" in text
    assert '<p class="quiet">A note.</p>' in text


@pytest.mark.parametrize(
    ("named", "row", "part"),
    [
        (
            columns("words", "name") + columns("percent", "mean", digits=0, unit="%", ends="below"),
            ("a", Estimate(0.5, (0.25, 0.75))),
            "<td>50%<small>25..75%</small></td>",
        ),
        (
            columns("count", "turns", "pairs"),
            (2, 5),
            '<th scope="col" class="words">turns</th><th scope="col">pairs</th>',
        ),
    ],
    ids=["the line below a figure has its unit", "the first heading stands as its cells do"],
)
def test_cells_of_html(named: list[Column], row: tuple[object, ...], part: str) -> None:
    assert part in ResultTable("t", named, [row]).to_html()


def test_markdown_is_a_pipe_table_with_numbers_on_the_right() -> None:
    assert TABLE.to_markdown().splitlines() == [
        "| name | mean |",
        "| --- | ---: |",
        "| a | 0.50 0.25..0.75 |",
        "| b | – |",
        "",
        "A note.",
    ]


def test_latex_is_a_tabular_with_rules_and_says_what_it_needs() -> None:
    assert TABLE.to_latex().splitlines() == [
        r"% Needs \usepackage{booktabs}.",
        r"% \caption{Caption} \label{tab:caption}",
        "% A note.",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"name & mean \\",
        r"\midrule",
        r"a & 0.50 \\",
        r" & {\scriptsize [0.25, 0.75]} \\",
        r"b & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def check_latex(text: str) -> None:
    """Assert that LaTeX takes a table: lines of one length, each special sign a command."""
    lines = [line for line in text.splitlines() if line and not line.startswith("%")]
    assert (lines[0][:16], lines[-1]) == (r"\begin{tabular}{", r"\end{tabular}")
    assert (text.count(r"\begin{"), text.count(r"\end{")) == (1, 1)
    rows = [line for line in lines[1:-1] if line not in (r"\toprule", r"\midrule", r"\bottomrule")]
    for row in rows:
        assert row.endswith(r" \\")
        cells = row.removesuffix(r" \\")
        assert not cells.lstrip().startswith(("[", "*"))  # would be an option of the rule or of \\
        assert len(re.findall(r"(?<!\\)&", cells)) == len(lines[0]) - len(r"\begin{tabular}{}") - 1
        bare = re.sub(r"\\[&%$#_{}]", "", cells)
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        assert not set("%#_~^<>|") & set(re.sub(r"\$[<>]\$", "", bare))
        assert "\\" not in re.sub(r"\\[a-z]+", "", bare, flags=re.IGNORECASE)


@pytest.mark.parametrize(
    "name",
    [EVIL, "[0, 1]", "* two", "50% of a_b & c#d", "x ^ y ~ z", "a\n\n%b", "{", "\\\\", "≤ 3"],
)
def test_any_name_is_a_row_that_latex_takes(name: str) -> None:
    figures = [Estimate(-0.5, (-0.75, 0.25)), Estimate(0.5)]
    named = [Column(name), *columns("number", name, "plain", digits=2, ends="below")]
    table = ResultTable(name, named, [(name, *figures), ("", *figures)], [name], grouped=True)
    check_latex(table.to_latex())
    check_latex(ResultTable(name, named, [(name, *figures)], [name]).to_latex())


def test_latex_has_minus_signs_and_names_the_engine_that_other_scripts_need() -> None:
    named = columns("words", "name") + columns("number", "mean", digits=2, ends="below")
    rows = [("gpt-4o", Estimate(-0.5, (-0.75, 0.25)))]
    text = ResultTable("t", named, rows).to_latex()
    assert r"gpt-4o & $-$0.50 \\" in text
    assert r" & {\scriptsize [$-$0.75, 0.25]} \\" in text
    assert "LuaLaTeX" not in text
    assert "LuaLaTeX or XeLaTeX" in ResultTable("t", named, [("судья", 0.5)]).to_latex()


def test_no_text_becomes_an_element_of_html() -> None:
    text = hostile().to_html()
    assert "<script" not in text
    assert not set("\u202e\x00") & set(text)
    assert set(re.findall(r"</?(\w+)", text)) == {
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "p",
    }


def test_no_text_breaks_a_row_of_markdown_or_becomes_a_link() -> None:
    lines = hostile().to_markdown().splitlines()
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines[:3]}) == 1
    assert "<script" not in "".join(lines)
    assert not re.search(r"(?<!\\)\]\(", "".join(lines))


@pytest.mark.parametrize("kind", ["to_html", "to_markdown", "to_latex"])
def test_a_table_without_rows_has_its_header(kind: str) -> None:
    empty = ResultTable("t", columns("words", "name", "other"), [])
    assert "other" in getattr(empty, kind)()


def test_the_best_of_a_column_is_bold_and_the_second_underlined() -> None:
    rows = [("a", Ranked(0.5, 1)), ("b", Ranked(Estimate(0.25, (0.0, 0.5)), 2)), ("c", 0.1)]
    named = columns("words", "name") + columns("number", "mean", digits=2, ends="page")
    table = ResultTable("Ranks", named, rows)
    assert "<td><b>0.50</b></td>" in table.to_html()
    assert "<td><u>0.25</u><small>[0.00, 0.50]</small></td>" in table.to_html()
    assert "| a | <b>0.50</b> |" in table.to_markdown()
    assert r"a & \textbf{0.50} \\" in table.to_latex()
    assert r"b & \underline{0.25} \\" in table.to_latex()
    assert r" & {\scriptsize [0.00, 0.50]} \\" in table.to_latex()
    text = str(table)
    assert "0.50*" in text
    assert "0.25+" in text

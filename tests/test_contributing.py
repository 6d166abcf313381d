"""The examples of the page on architecture work, and the paths that contributors read are there."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scripts.dialect import vague

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import FORMATS, read
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.table import JUDGES, open_judge
from assize.models import Models, ModelSettings
from assize.models.providers import PROVIDERS, Provider
from assize.pages.result_page import CHARTS
from assize.reference._metrics import measure as measure_module
from assize.reference._metrics.surface.features import surface
from assize.reference._metrics.table import METRICS
from assize.stats import mean, wilson

ROOT = Path(__file__).parent.parent


PAGE = ROOT / "docs" / "contributing" / "architecture.md"
PIECES = PAGE.with_name("pieces.md")
_PIECE = re.compile(
    r"^## (\w+)\n(?:(?!^## ).)*?^```python\n(.*?)^```\n\n```text\n(.*?)^```",
    re.MULTILINE | re.DOTALL,
)


def example(heading: str) -> dict[str, Any]:
    """Run the block below a heading of the page, and return what it defines."""
    text = PAGE.read_text()
    (code,) = re.findall(
        rf"^### {heading}\n(?:(?!###).)*?^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    assert code.count("\n") <= 40
    names: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)
    return names


def contributed(monkeypatch: pytest.MonkeyPatch, name: str, *headings: str) -> None:
    """Put a module of that name in place, which defines what the blocks below headings define."""
    module = ModuleType(name)
    for heading in headings:
        vars(module).update(example(heading))
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize(
    "page", [ROOT / "CONTRIBUTING.md", PAGE, PIECES], ids=lambda page: page.name
)
def test_every_path_for_contributors_is_there(page: Path) -> None:
    paths = re.findall(r"`((?:[\w-]+/)+[\w.-]*)`", page.read_text())
    assert paths
    roots = (ROOT, ROOT / "src" / "assize", ROOT / "src" / "assize" / "calibrate")
    lost = [path for path in paths if not any((root / path).exists() for root in roots)]
    assert lost == (["prompts/brief.jinja"] if page == PAGE else [])  # of the example


@pytest.mark.parametrize("page", [PAGE, PIECES], ids=lambda page: page.name)
def test_every_link_of_a_page_for_contributors_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text())
    assert links
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", [PAGE, PIECES], ids=lambda page: page.name)
def test_the_check_of_names_passes_the_examples(page: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    assert [name for block in blocks for name in vague(block)] == []


def test_there_are_six_pieces() -> None:
    assert len(_PIECE.findall(PIECES.read_text())) == 6


@pytest.mark.parametrize(("name", "code", "shown"), _PIECE.findall(PIECES.read_text()))
def test_a_piece_is_short_and_prints_what_the_page_shows(
    name: str,
    code: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert code.count("\n") <= 40
    monkeypatch.chdir(tmp_path)
    exec(compile(code, name, "exec", dont_inherit=True), {"__name__": name})
    assert capsys.readouterr().out.split() == shown.split()


def test_the_format_reads_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = example("Format")["CALLS"]
    monkeypatch.setitem(FORMATS, calls.name, calls)
    lines = [{"speaker": "caller", "text": "Hi"}, {"speaker": "desk", "text": "Hello"}]
    path = tmp_path / "week.jsonl"
    path.write_text(json.dumps({"call": None, "lines": lines, "queue": 4}))
    (record,) = read(path, roles={"desk": "assistant"})
    assert isinstance(record, Conversation)
    assert record.id == "week-1"
    assert [(turn.role, turn.text) for turn in record.turns] == [
        ("user", "Hi"),
        ("assistant", "Hello"),
    ]
    assert record.extra == {"queue": 4}
    with pytest.raises(DataError, match=r"lines\[1\]\.speaker.*--roles desk=ROLE"):
        list(read(path))


def test_the_judge_and_the_provider_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contributed(monkeypatch, "contributed", "Judge", "Provider")
    monkeypatch.setitem(JUDGES, "brief", "contributed:BRIEF")
    monkeypatch.setitem(PROVIDERS, "parrot", Provider("contributed:open_parrot", local=True))
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(tmp_path / "cache"))
    said = '{"why": "shorter", "answer": "A"}'
    (tmp_path / "brief.jinja").write_text(
        "{% block system %}Which is brief?{% endblock %}{% block user %}" + said + "{% endblock %}"
    )
    pair = Pair("p", (), (Turn("assistant", "Yes."),), (Turn("assistant", "Yes, yes."),))

    async def asked() -> Sequence[Judgment]:
        async with Models(ModelSettings()) as models:
            context = JudgeContext(models, JudgeSettings(prompts=tmp_path))
            return await open_judge("brief@parrot:polly", context).judge(Task(pair, "AB"))

    (row,) = asyncio.run(asked())
    assert (row.answer, row.explanation, row.judge) == ("A", "shorter", "brief@parrot:polly")


def lengths() -> Any:
    """Return the result of the page's example, for one system."""
    defined = example("Result")
    words = mean([3.0, 4.0, 8.0, float("nan")])
    rows = [defined["Length"]("chatty", words, 8)]
    return defined["Lengths"](rows, wilson(1, 4), answers=["secret"] * 4, signature="9f2c")


def test_the_result_shows_itself_everywhere(tmp_path: Path) -> None:
    result = lengths()
    value = result.to_json()
    assert value["systems"][0]["words"]["unscored"] == 1
    assert value["empty"]["count"] == 1
    assert "answers" not in value
    terminal = str(result)
    assert "empty: 1 (25.0%)" in terminal
    assert [column.name for column in result.tables["systems"].texts()[0]] == [
        "system",
        "words",
        "n",
        "unscored",
    ]
    assert result.to_pandas("systems")["longest"].tolist() == [8]
    assert r"\begin{tabular}" in result.to_latex()
    result.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "4 answers of 1 systems were counted." in page
    assert "How long the answers of each are." in page
    for shown in (terminal, page, result._repr_html_(), repr(result)):
        assert "secret" not in shown


def test_the_metric_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    defined = example("Metric")
    name = defined["EXCLAIMS"].id
    monkeypatch.setitem(METRICS, name, defined["EXCLAIMS"])
    monkeypatch.setattr(
        measure_module,
        "surface",
        lambda compared: surface(compared) | {name: defined["exclaim_alike"](compared)},
    )
    texts = [
        Continuation("a", (), "Hi!", ("Hello",)),
        Continuation("b", (), "Good", ("Hello!", "Hello")),
        Continuation("c", (), " ", ("Hello",)),
    ]
    measured = measure_module.measure_batch(texts, None, [name])
    np.testing.assert_equal(measured.best[:, 0], [0.0, 1.0, np.nan])


def test_the_statistic_counts_rows_within_one() -> None:
    within = example("Statistic")["within_one"]
    value = within([1, 2, 5, float("nan")], [2, 2, 1, 3])
    assert (value.estimate, value.n, value.unscored) == (pytest.approx(2 / 3), 3, 1)


def test_the_chart_stands_on_the_results_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("vl_convert")
    contributed(monkeypatch, "contributed_chart", "Chart")
    result = lengths()
    kind = f"{type(result).__module__}:Lengths"
    monkeypatch.setitem(CHARTS, kind, "contributed_chart:draw_lengths")
    result.report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert "Mean words per answer." in text
    assert "<svg" in text


def test_the_study_compares_its_method() -> None:
    scores = np.random.default_rng(0).normal(size=40)
    (table,) = example("Study")["compare_constants"](scores, np.arange(40) // 2)
    assert table.figures["constant"]["rmse"].estimate == pytest.approx(scores.std(), rel=0.1)


def test_the_page_of_the_web_app_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fastapi")
    from tests.web.routes.rating_site import rating_site

    contributed(monkeypatch, "assize.web._routes.whoami", "Page of the web app")
    app = import_module("assize.web._app")
    monkeypatch.setattr(app, "ROUTES", (*app.ROUTES, "whoami"))
    with rating_site(tmp_path) as found:
        assert found.visitor("ann").get("/whoami").text == "ann"

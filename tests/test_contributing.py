"""What CONTRIBUTING shows is what happens; README is a page of `tests/docs`."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.judgment import Judgment
from assize.formats import FORMATS, read
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.table import JUDGES, open_judge
from assize.models import Models, ModelSettings
from assize.models.opening import PROVIDERS
from assize.stats import mean, wilson

ROOT = Path(__file__).parent.parent


def block(number: int) -> dict[str, Any]:
    """What CONTRIBUTING's n-th Python block defines."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    names: dict[str, Any] = {}
    exec(compile(blocks[number], "CONTRIBUTING.md", "exec", dont_inherit=True), names)
    return names


def test_every_path_in_contributing_is_there() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text()
    paths = re.findall(r"`((?:[\w-]+/)+[\w.-]*)`", page)
    assert len(paths) > 80
    roots = (ROOT, ROOT / "src" / "assize", ROOT / "src" / "assize" / "calibrate")
    lost = [path for path in paths if not any((root / path).exists() for root in roots)]
    assert lost == ["prompts/brief.jinja"]  # of the example


def test_the_format_in_contributing_reads_a_file(tmp_path: Path) -> None:
    made = block(0)["PROMPTS"]
    path = tmp_path / "prompts.jsonl"
    path.write_text('{"prompt": "Hi", "reply": "Hello"}\n')
    FORMATS[made.name] = made
    try:
        (record,) = read(path)
    finally:
        del FORMATS[made.name]
    assert isinstance(record, Conversation)
    assert [turn.text for turn in record.turns] == ["Hi", "Hello"]


def test_the_judge_and_the_provider_in_contributing_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("contributed")
    vars(module).update(block(1) | block(2))
    monkeypatch.setitem(sys.modules, "contributed", module)
    monkeypatch.setitem(JUDGES, "brief", "contributed:BRIEF")
    monkeypatch.setitem(PROVIDERS, "parrot", "contributed:open_parrot")
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


def test_the_result_in_contributing_shows_itself_everywhere(tmp_path: Path) -> None:
    defined = block(3)
    words = mean([3.0, 4.0, 8.0, float("nan")])
    rows = [defined["Length"]("chatty", words, 8)]
    result = defined["Lengths"](rows, wilson(1, 4), answers=["secret"] * 4, signature="9f2c")
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

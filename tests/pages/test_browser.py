"""The page in a real browser: it draws, it runs nothing, it asks for nothing, it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.criteria.test_study import FOUND as STUDIED
from tests.pages.criteria.conftest import CHATS, scores
from tests.pages.criteria.test_learnt import CHATS as SOURCES
from tests.pages.criteria.test_learnt import FOUND as LEARNT
from tests.pages.criteria.test_selected import FOUND as SELECTED

from assize.base.conversation import Conversation, Pair
from assize.base.judgment import Judgment, Question, Unscored
from assize.formats import read
from assize.pages.result_page import write_result
from assize.scoring import ScoreCounter

EXAMPLES = Path(__file__).parents[2] / "examples" / "conversations.jsonl"
OVERLAPS = """() => {
  const bad = [];
  for (const svg of document.querySelectorAll('svg')) {
    const texts = [...svg.querySelectorAll('text')];
    const boxes = texts.map(t => [t.textContent, t.getBoundingClientRect()]);
    boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
      const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (x > 1 && y > 3) bad.push([a, b]);
    }));
  }
  return bad;
}"""


@pytest.fixture(scope="module")
def scored_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example conversations, with scores that put the one with the script first."""
    asked = [Question(name, kind="number", range=(0, 1)) for name in ("overall", "warmth")]
    asked[0] = replace(asked[0], extra={"levels": [0.35, 0.7]})
    asked.append(Question("Q1", text="How clear?", kind="ordinal", answers=("1", "2", "3", "4")))
    report = ScoreCounter(asked, keep=40)
    conversations = [one for one in read(EXAMPLES) if isinstance(one, Conversation)]
    for place, item in enumerate(conversations):
        value = 0.0 if item.id == "script-injection" else (place * 37 % 90 + 5) / 100
        rows = [
            Judgment(item.id, "evaluator@assize-small-1", "overall", score=value),
            Judgment(item.id, "evaluator@assize-small-1", "overall", turn=1, score=value),
            Judgment(item.id, "evaluator@assize-small-1", "warmth", score=1 - value),
            Judgment(item.id, "rubric@openai:a-model-with-a-long-name", "Q1", answer="3"),
        ]
        if item.id == "user-only":
            rows = [Judgment(item.id, "j", "overall", unscored=Unscored("empty", "no answer"))]
        report.add(item, rows)
    path = tmp_path_factory.mktemp("page") / "scores.html"
    write_result(path, report.summary(), title="Example conversations")
    return path


@pytest.fixture(scope="module")
def preferences_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example pairs, judged by three judges with long names in both orders."""
    judges = [f"explained-fewshot@openai:a-rather-long-model-name-{n}" for n in range(3)]
    report = ScoreCounter()
    for place, item in enumerate(read(EXAMPLES.with_name("pairs.jsonl"))):
        if isinstance(item, Pair):
            rows = [
                Judgment(item.id, judge, "preference", answer="ABt"[place % 3].replace("t", "tie"))
                for judge in judges
            ]
            rows += [replace(row, order="BA", answer="A") for row in rows]
            report.add(item, rows)
    path = tmp_path_factory.mktemp("page") / "pairs.html"
    write_result(path, report.summary(), title="x" * 300)
    return path


@pytest.fixture(scope="module")
def criteria_pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each result of criteria, with the text of strangers on it."""
    folder = tmp_path_factory.mktemp("criteria")
    paths = {name: folder / f"{name}.html" for name in ("pool", "scores", "selected", "study")}
    write_result(paths["pool"], LEARNT, items=SOURCES)
    write_result(paths["scores"], scores(), items=CHATS)
    write_result(paths["selected"], SELECTED)
    write_result(paths["study"], STUDIED)
    return paths


@pytest.fixture
def visit(browser: Any, scored_page: Path) -> Iterator[Callable[..., Any]]:
    contexts = []

    def open_page(path: Path = scored_page, **given: Any) -> Any:
        context = browser.new_context(**given)
        contexts.append(context)
        shown = context.new_page()
        shown.said = []
        shown.asked = []
        shown.on("console", lambda message: shown.said.append(message.text))
        shown.on("pageerror", lambda error: shown.said.append(str(error)))
        shown.on("dialog", lambda dialog: (shown.said.append("dialog"), dialog.dismiss()))
        shown.on("request", lambda request: shown.asked.append(request.url))
        shown.goto(path.as_uri())
        return shown

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def shown(visit: Callable[..., Any]) -> Any:
    """The page of scores."""
    return visit()


def test_the_page_runs_only_its_own_script_and_asks_for_nothing(
    shown: Any, scored_page: Path
) -> None:
    assert shown.title() == "Example conversations"
    assert "All conversations scored 100%" in shown.inner_text("body")
    assert shown.locator("h1").count() == 1
    assert shown.locator("img, iframe, object, link").count() == 0
    assert shown.locator("script").count() == 2  # its own, and data
    assert shown.said == []
    assert shown.asked == [scored_page.as_uri()]


def test_the_pages_policy_stops_a_script_that_got_in_after_all(shown: Any) -> None:
    shown.evaluate(
        "() => { const s = document.createElement('script');"
        " s.textContent = 'document.title = \"pwned\"'; document.body.append(s); }"
    )
    assert shown.title() == "Example conversations"
    assert any("Content Security Policy" in text for text in shown.said)


def test_a_long_list_is_turned_searched_and_reached_by_its_address(
    shown: Any, scored_page: Path
) -> None:
    items = shown.locator("details.item")
    assert items.count() == 25
    assert "page 1 of 2" in shown.inner_text(".pager")
    shown.click("button:text-is('Next')")
    assert items.count() == 8
    last = items.last
    assert "<script>" not in last.inner_html()
    name = last.get_attribute("data-id")
    shown.fill(".finder input", name)
    assert shown.inner_text(".finder output").startswith("1 of 33")
    shown.fill(".finder input", "nothing has these words")
    assert items.count() == 0
    shown.fill(".finder input", "")
    shown.select_option(".finder select", "low")
    assert set(items.evaluate_all("all => all.map(one => one.dataset.level)")) == {"low"}
    shown.evaluate("name => { location.hash = '#c=' + encodeURIComponent(name) }", name)
    shown.wait_for_selector(f'details[data-id="{name}"][open]')
    assert shown.said == []


def test_without_scripts_the_first_of_a_long_list_stand_as_they_are(
    visit: Callable[..., Any],
) -> None:
    shown = visit(java_script_enabled=False)
    assert shown.locator("details.item").count() == 25
    assert "Allow scripts to see and search the other 8 conversations" in shown.inner_text("main")
    assert not shown.is_visible(".finder")


def test_the_style_is_applied_and_charts_are_drawn(shown: Any) -> None:
    assert shown.evaluate("() => getComputedStyle(document.body).maxWidth") == "1056px"
    sizes = shown.evaluate(
        "() => [...document.querySelectorAll('svg')].map(s => s.getBoundingClientRect().width)"
    )
    assert len(sizes) >= 2
    assert min(sizes) > 200


@pytest.mark.parametrize("width", [360, 390, 820, 1280])
def test_nothing_sticks_out_at_the_side(visit: Callable[..., Any], width: int) -> None:
    shown = visit(viewport={"width": width, "height": 800})
    shown.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    assert shown.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 1280])
def test_long_names_neither_stick_out_nor_lie_on_each_other(
    visit: Callable[..., Any], preferences_page: Path, width: int
) -> None:
    shown = visit(preferences_page, viewport={"width": width, "height": 800})
    shown.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    assert shown.evaluate("() => document.documentElement.scrollWidth") <= width
    assert shown.evaluate(OVERLAPS) == []


def test_no_words_of_a_chart_lie_on_each_other(visit: Callable[..., Any]) -> None:
    assert visit(viewport={"width": 1280, "height": 800}).evaluate(OVERLAPS) == []


@pytest.mark.parametrize("name", ["pool", "scores", "selected", "study"])
def test_pages_of_criteria_fit_run_nothing_and_ask_for_nothing(
    visit: Callable[..., Any], criteria_pages: dict[str, Path], name: str
) -> None:
    for width in (360, 1280):
        shown = visit(criteria_pages[name], viewport={"width": width, "height": 800})
        shown.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
        assert shown.evaluate("() => document.documentElement.scrollWidth") <= width
        assert shown.evaluate(OVERLAPS) == []
        assert shown.said == []
        assert shown.asked == [criteria_pages[name].as_uri()]
        assert shown.locator("script, img, iframe, object, link").count() == 0


def test_the_page_follows_a_dark_screen(visit: Callable[..., Any]) -> None:
    colours = [
        visit(color_scheme=scheme).evaluate(
            "() => [getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(document.querySelector('svg text')).fill]"
        )
        for scheme in ("light", "dark")
    ]
    assert colours[0][0] != colours[1][0]
    assert colours[0][1] != colours[1][1]


def test_a_conversation_opens_with_the_keyboard_alone(shown: Any) -> None:
    second = shown.locator("details.item").nth(1)
    assert second.get_attribute("open") is None
    second.locator("> summary").focus()
    shown.keyboard.press("Enter")
    assert second.get_attribute("open") is not None


def test_every_conversation_is_printed_open(shown: Any) -> None:
    shown.emulate_media(media="print")
    hidden = shown.evaluate(
        "() => [...document.querySelectorAll('details.item .turns')]"
        ".filter(t => t.getBoundingClientRect().height === 0).length"
    )
    assert hidden == 0

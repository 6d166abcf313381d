"""Talking with hidden systems in a real browser, with a real server that streams."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from chat_server import ChatServer, completion
from tests.web.browser.actions import choose
from tests.web.browser.conftest import PHONE, Visit
from tests.web.browser.projects import RUBRIC
from tests.web.browser.serving import Served, served
from tests.web.browser.test_access import faults
from tests.web.collect.conftest import PAGES, TOPICS

from assize.base.conversation import Pair
from assize.web._accounts.people import by_name
from assize.web._collect.turns import record_of
from assize.web._storage.chats import chats_of, task_number

HOSTILE = "<img src=x onerror=alert(1)> **Rotate** [1], see [9]. `a[1]` [x](javascript:alert(1))"


class Model(ChatServer):
    """Says what it is told to, and can be held up in the middle."""

    def __init__(self) -> None:
        self.text = HOSTILE
        self.more = threading.Event()
        super().__init__(lambda body: completion(body, self.text), pace=self.wait)
        self.held = False

    def wait(self, number: int) -> None:
        if self.held and number == 4:
            assert self.more.wait(60)


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    running = Model()
    with running:
        yield running


@pytest.fixture(autouse=True)
def _calm(model: Model) -> Iterator[None]:
    """Each test begins with a model that answers."""
    model.fault, model.held, model.text = None, False, HOSTILE
    model.more.clear()
    yield
    model.more.set()


@pytest.fixture(scope="module")
def server(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("collect")
    (folder / "tasks").mkdir()
    (folder / "pages").mkdir()
    for name, text in PAGES.items():
        (folder / "pages" / name).write_text(text)
    (folder / "topics.jsonl").write_text("\n".join(map(json.dumps, TOPICS)))
    (folder / "small.yaml").write_text(RUBRIC)
    systems = [
        {
            "name": f"DS-hush-{number}",
            "model": f"openai:model-hush-{number}",
            "base_url": model.url,
            "retrieval": how,
            "sources": 2,
        }
        for number, how in ((2, "topic"), (4, "bm25-dialogue"))
    ]
    shared = {"documents": ["pages"], "systems": systems}
    for name, kind, form in (
        ("talk", "collect", {"rubric": "small.yaml"}),
        ("pairs", "collect-pairs", {}),
    ):
        task: dict[str, Any] = {"task": name, "kind": kind, "items": ["topics.jsonl"]}
        task["settings"] = {**shared, "form": form}
        (folder / "tasks" / f"{name}.yaml").write_text(yaml.safe_dump(task))
    with served(folder) as found:
        yield found


def begun(page: Any, task: str = "talk", *, plain: bool = False) -> Any:
    page.set_default_timeout(40_000)  # of a busy machine; nothing waits so long on an idle one
    page.goto(f"/t/{task}")
    page.get_by_role("button", name="Start a conversation").click()
    page.wait_for_selector("#text" if plain else ".scripts #text")  # once the script has run
    return page


def say(page: Any, text: str = "How do I rotate keys?") -> None:
    page.fill("#text", text)
    page.keyboard.press("Enter")


def answered(page: Any, count: int = 1) -> None:
    page.locator(".turn.assistant.whole").nth(count - 1).wait_for()
    page.locator("#end button:enabled").wait_for()


def exchange(page: Any, text: str = "How do I rotate keys?", count: int = 1) -> None:
    """Says something and waits for so many answers to be there."""
    say(page, text)
    answered(page, count)


def end(page: Any) -> None:
    page.get_by_role("button", name="End conversation").click()
    page.get_by_role("link", name="Go on to the questions").wait_for()


def go_on_to_questions(page: Any) -> None:
    end(page)
    page.get_by_role("link", name="Go on to the questions").click()
    page.wait_for_selector("#answers")


def test_a_chat_is_had_its_sources_are_read_and_it_is_rated(visit: Visit, server: Served) -> None:
    page = begun(visit("whole"))
    exchange(page)
    exchange(page, "And then?", count=2)
    end(page)
    page.get_by_text("everything that was looked up").wait_for()
    assert page.locator(".source").count() >= 1
    page.get_by_role("link", name="Go on to the questions").click()
    choose(page, "easy", "yes", "fully")
    page.get_by_role("button", name="Submit").click()
    page.locator(".told.done").wait_for()
    page.get_by_role("button", name="Have another conversation").click()
    page.wait_for_selector("#text")
    assert "/collect/talk/" in page.url


def test_text_appears_while_it_is_written_from_its_beginning_where_a_page_is_loaded_anew(
    visit: Visit, server: Served, model: Model
) -> None:
    model.held, model.text = True, "Rotate them every ninety days, please."
    page = begun(visit("reload"))
    say(page)
    page.get_by_text("Rotate them every", exact=True).wait_for()  # the rest is held back
    assert page.get_attribute("#talk", "aria-busy") == "true"
    assert page.locator("#end button").is_disabled()
    page.reload()
    page.get_by_text("Rotate them every", exact=True).wait_for()
    model.more.set()
    answered(page)
    assert page.get_attribute("#talk", "aria-busy") == "false"
    assert page.locator(".turn.user").count() == page.locator(".turn.assistant").count() == 1
    assert page.locator(".turn.assistant .said").inner_text() == model.text


def test_answers_of_strangers_do_nothing_and_citations_lead_to_their_sources(
    visit: Visit, server: Served
) -> None:
    page = begun(visit("cited"))
    exchange(page, "<script>alert(1)</script> rotate storage keys, restore a vault")
    answer = page.locator(".turn.assistant .said").first
    assert page.locator(".turn.user .said").inner_text().startswith("<script>alert(1)</script>")
    assert "<img src=x onerror=alert(1)>" in answer.inner_text()
    assert page.locator(".talk img, .talk script").count() == 0
    assert [link.get_attribute("href")[0] for link in answer.locator("a").all()] == ["#"]
    assert answer.locator(".uncited").inner_text() == "9"
    text = page.locator(".source-text").first
    assert not text.is_visible()
    answer.locator("a.cite").click()
    text.wait_for(state="visible")


def test_nothing_on_the_pages_tells_the_system(visit: Visit, server: Served, model: Model) -> None:
    page = visit("hidden")
    seen: list[str] = []
    page.on("response", lambda one: seen.append(json.dumps(one.all_headers())))
    begun(page)
    exchange(page)
    model.fault = lambda number, body: "stream_error"
    say(page, "More")
    page.get_by_role("button", name="Try again").wait_for()
    seen.append(page.content())
    end(page)
    seen.append(page.content())
    page.get_by_role("link", name="Go on to the questions").click()
    page.wait_for_selector("#answers")
    seen.append(page.content())
    assert "hush" not in "".join(seen)
    assert "bm25" not in "".join(seen)


def test_an_answer_that_breaks_off_keeps_the_message_and_is_asked_for_again(
    visit: Visit, server: Served, model: Model
) -> None:
    model.fault = lambda number, body: "stream_cut"
    page = begun(visit("broken"))
    say(page, "Will this be kept?")
    page.get_by_text("This answer broke off. What you wrote is kept.").wait_for()
    model.fault = None
    page.reload()
    assert page.locator(".turn.user .said").inner_text() == "Will this be kept?"
    page.get_by_role("button", name="Try again").click()
    answered(page)
    assert page.locator(".turn.assistant").count() == 1
    assert page.locator("#text").is_visible()


def test_enter_sends_and_shift_enter_begins_a_new_line(visit: Visit, server: Served) -> None:
    page = begun(visit("keys"))
    page.focus("#text")
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    page.keyboard.press("Enter")
    answered(page)
    assert page.locator(".turn.user .said").inner_text() == "one\ntwo"


@pytest.mark.parametrize("phone", [False, True])
def test_two_systems_answer_side_by_side_and_give_a_pair(
    visit: Visit, server: Served, phone: bool
) -> None:
    name = f"pairs-{phone}"
    page = begun(visit(name, phone=phone), "pairs")
    exchange(page, count=2)
    boxes = [one.bounding_box() for one in page.locator(".turn.assistant").all()]
    assert (boxes[0]["y"] < boxes[1]["y"]) is phone
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    go_on_to_questions(page)
    page.get_by_role("radio", name="A is better").check()
    page.get_by_role("button", name="Submit").click()
    page.locator(".told.done").wait_for()
    with server.store.connect() as connection:
        known: Any = by_name(connection, name)
        number: Any = task_number(connection, "pairs")
        (chat,) = chats_of(connection, number, known.id)
    pair = record_of(chat, "pairs")
    assert isinstance(pair, Pair)
    assert pair.shared_user
    assert [one.role for one in pair.a] == [one.role for one in pair.b] == ["user", "assistant"]


def test_the_page_fits_a_phone(visit: Visit, server: Served) -> None:
    page = begun(visit("phone", phone=True))
    exchange(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    box = page.locator("#text").bounding_box()
    assert box["y"] + box["height"] <= PHONE["height"]  # the composer stays in view


def test_without_scripts_a_message_is_sent_and_the_page_comes_back_with_its_answer(
    visit: Visit, server: Served, model: Model
) -> None:
    page = begun(visit("plain", scripts=False), plain=True)
    page.fill("#text", "How do I rotate keys?")
    page.get_by_role("button", name="Send").click()
    page.locator(".turn.assistant.whole").wait_for()
    model.fault = lambda number, body: "stream_cut"
    page.fill("#text", "And then?")
    page.get_by_role("button", name="Send").click()
    model.fault = None
    page.get_by_role("button", name="Try again").click()
    page.locator(".turn.assistant.whole").nth(1).wait_for()
    end(page)


@pytest.mark.parametrize("task", ["talk", "pairs"])
def test_no_page_of_a_chat_shuts_anybody_out(visit: Visit, model: Model, task: str) -> None:
    page = visit(f"axe-{task}", phone=task == "pairs")
    page.goto(f"/collect/{task}")
    assert faults(page) == [], "start"
    begun(page, task)
    assert faults(page) == [], "empty"
    exchange(page)
    page.locator("a.cite").first.click()
    assert faults(page) == [], "answered"
    model.fault = lambda number, body: "stream_cut"
    say(page, "More")
    page.get_by_role("button", name="Try again").wait_for()
    assert faults(page) == [], "broken off"
    end(page)
    assert faults(page) == [], "sources"

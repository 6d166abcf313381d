"""Rating in a real browser: by mouse, by keyboard, on a phone, by two people at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import select, update
from tests.web.browser.actions import choose, heading, saved, start, submit
from tests.web.browser.conftest import Visit
from tests.web.browser.projects import write_talks, write_task
from tests.web.browser.serving import Served

from assize.web._storage.schema import assignments, comments, people

ALL = ("easy", "yes", "fully")
SENT = {"clear": "3", "kind": "2", "overall": "4"}


def write_project(folder: Path) -> None:
    write_talks(folder)
    write_task(
        folder,
        "clarity",
        "kind: rate\nitems: talks.jsonl\nraters_per_item: 40\norder: file\n"
        "instructions: |\n  Read the *whole* dialogue first.\nsettings: {rubric: small.yaml}\n",
    )
    write_task(
        folder,
        "scarce",
        "kind: rate\nitems: talks.jsonl\nraters_per_item: 1\norder: file\n"
        "settings: {rubric: small.yaml}\n",
    )
    write_task(
        folder,
        "good",
        "kind: rate\nitems: talks.jsonl\nraters_per_item: 40\nsettings: {rubric: good-or-bad}\n",
    )


def at_item(visit: Visit, name: str, task: str = "clarity", *, phone: bool = False) -> Any:
    """A page of somebody with the first item of a task."""
    page = visit(name, phone=phone)
    start(page, task)
    return page


def rate(page: Any) -> None:
    """Gives all answers and sends them."""
    choose(page, *ALL)
    submit(page)


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.dataset.field || document.activeElement.id"))


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_an_item_is_rated_with_the_mouse_and_the_next_comes(
    visit: Visit, server: Served, phone: bool
) -> None:
    name = f"mouse-{phone}"
    page = at_item(visit, name, phone=phone)
    rate(page)
    assert heading(page) == "Item 2"
    assert server.said(name) == {"chain": SENT}
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_questions_and_answers_are_not_bold(visit: Visit) -> None:
    page = at_item(visit, "plain")
    for part in ("legend", ".choice-text"):
        weights = page.locator(f"#answers {part}").evaluate_all(
            "all => all.map((one) => getComputedStyle(one).fontWeight)"
        )
        assert set(weights) == {"400"}, part


def test_a_citation_opens_its_source_though_it_was_shown_with_an_earlier_turn(
    visit: Visit,
) -> None:
    page = at_item(visit, "cites")
    last = page.locator(".turn").last
    expect(last.locator("details.source")).to_have_count(1)
    last.get_by_role("link", name="Source 2").click()
    expect(last.locator("details.source")).to_have_attribute("open", "")
    expect(page.locator("details.source[open]")).to_have_count(1)


def test_a_whole_task_is_rated_with_the_keyboard_alone(visit: Visit, server: Served) -> None:
    page = visit("keys")
    page.goto("/")
    for _ in range(12):
        page.keyboard.press("Tab")
        if "Start with Clarity" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("html.scripts #answers")
    for number in range(1, 7):
        page.locator("#heading", has_text=f"Item {number}").wait_for()
        for key in "cbd":
            page.keyboard.press(key)
        assert focused(page) == "submit"
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="All done, thank you!").wait_for()
    assert list(server.said("keys").values()) == [SENT] * 6


def test_j_and_k_go_between_questions_that_are_asked(visit: Visit) -> None:
    page = at_item(visit, "moves")
    page.keyboard.press("j")
    assert focused(page) == "kind"
    page.keyboard.press("b")  # passes over `why`
    assert focused(page) == "overall"
    page.keyboard.press("k")
    assert focused(page) == "kind"
    page.keyboard.press("a")
    assert focused(page) == "why"
    page.keyboard.press("ArrowUp")
    assert focused(page) == "kind"


def test_keys_do_nothing_while_typing_or_once_switched_off(visit: Visit) -> None:
    page = at_item(visit, "typist")
    page.keyboard.press("f")
    page.keyboard.type("suck")
    assert page.locator("#flag-words").input_value() == "suck"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_label("Use single keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.reload()
    page.wait_for_selector("html.scripts")
    page.keyboard.press("c")
    assert page.locator("input:checked").count() == 0
    assert not page.locator("#answers kbd").first.is_visible()
    page.keyboard.press("Control+Enter")
    page.get_by_text("4 questions need an answer").wait_for()


def test_escape_leaves_a_text_so_that_keys_act_again(visit: Visit) -> None:
    page = at_item(visit, "leaves-texts", "good")
    page.keyboard.press("a")
    text = page.locator("#answers [data-field] textarea").first
    text.click()
    page.keyboard.type("hello")
    page.keyboard.press("Escape")
    field = text.evaluate("one => one.closest('[data-field]').dataset.field")
    assert focused(page) == field
    page.keyboard.press("k")
    assert text.input_value() == "hello"
    assert focused(page) != field
    page.keyboard.press("Enter")
    page.locator(".told", has_text="Saved").wait_for()


def test_what_is_missing_is_said_beside_the_question_and_the_first_is_focused(
    visit: Visit, server: Served
) -> None:
    page = at_item(visit, "hasty")
    choose(page, "easy", "yes")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("Please answer this question.").wait_for()
    inside = "document.activeElement.closest('[data-field]').dataset.field"
    assert page.evaluate(inside) == "overall"
    assert page.get_by_role("radio", name="easy", exact=True).is_checked()
    assert server.said("hasty") == {}


def test_an_answer_hides_what_it_passes_over(visit: Visit) -> None:
    page = at_item(visit, "passer")
    why = page.get_by_role("radiogroup", name="What is wrong with the tone?")
    choose(page, "yes")
    assert not why.is_visible()
    choose(page, "no")
    assert why.is_visible()


def test_a_draft_survives_a_reload_and_a_crash(visit: Visit, server: Served) -> None:
    page = at_item(visit, "careful")
    choose(page, "easy")
    saved(page)
    page.reload()
    assert page.get_by_role("radio", name="easy", exact=True).is_checked()
    choose(page, "yes")
    saved(page)
    where, context = page.url, page.context
    page.close()  # as a crash: nothing is asked
    again = context.new_page()
    again.goto(where)
    assert again.get_by_role("radio", name="yes", exact=True).is_checked()
    assert server.said("careful") == {}


def test_what_the_server_cannot_take_is_kept_in_the_browser(visit: Visit) -> None:
    page = at_item(visit, "offline")
    page.route("**/draft", lambda route: route.abort())
    choose(page, "with effort")
    page.get_by_text("No connection. Your answers are kept in this browser.").wait_for()
    page.unroute("**/draft")
    page.reload()
    page.get_by_text("Restored from this browser").or_(page.get_by_text("Draft saved")).wait_for()
    assert page.get_by_role("radio", name="with effort").is_checked()
    saved(page)


def test_a_submission_that_does_not_arrive_can_be_sent_again(visit: Visit, server: Served) -> None:
    page = at_item(visit, "unlucky")
    choose(page, *ALL)
    page.route("**/rate/*", lambda route: route.abort())
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("This was not sent").first.wait_for()
    page.unroute("**/rate/*")
    submit(page)
    assert server.said("unlucky") == {"chain": SENT}


def test_time_counts_only_while_somebody_is_there(visit: Visit, server: Served) -> None:
    page = visit("slow")
    page.clock.install()
    start(page, "clarity")
    page.clock.run_for(20_000)
    page.mouse.move(200, 200)
    page.clock.run_for(300_000)  # 60 s of it count
    assert 75 <= page.evaluate("window.assize.time.seconds()") <= 85


def test_a_skip_wants_a_reason_and_keeps_it(visit: Visit, server: Served) -> None:
    page = at_item(visit, "skipper")
    page.keyboard.press("s")
    page.get_by_role("button", name="Skip this item").click()
    page.get_by_text("Please choose why.").wait_for()
    page.get_by_label("Why?").select_option("I cannot judge this")
    page.get_by_label("In your words").fill("too technical")
    page.get_by_role("button", name="Skip this item").click()
    page.locator(".told", has_text="Skipped").wait_for()
    assert server.said("skipper") == {"chain": "I cannot judge this: too technical"}


def test_a_flag_goes_to_the_lead_and_the_answers_stay(visit: Visit, server: Served) -> None:
    page = at_item(visit, "flagger")
    choose(page, "hard")
    page.keyboard.press("f")
    page.keyboard.type("names a person")
    page.get_by_role("button", name="Send the flag").click()
    page.locator(".told", has_text="The lead will see your flag.").wait_for()
    assert page.get_by_role("radio", name="hard").is_checked()
    flags = select(comments.c.text).where(comments.c.kind == "flag")
    with server.store.connect() as connection:
        assert connection.scalars(flags).all() == ["names a person"]


def test_the_last_submission_is_undone_with_a_key(visit: Visit, server: Served) -> None:
    page = at_item(visit, "unsure")
    rate(page)
    page.keyboard.press("u")
    page.locator(".told", has_text="Opened again.").wait_for()
    assert heading(page) == "Item 1"
    assert page.get_by_role("radio", name="fully").is_checked()
    assert server.said("unsure") == {}


def test_a_double_click_and_a_second_window_lose_and_double_nothing(
    visit: Visit, server: Served
) -> None:
    page = at_item(visit, "twice")
    second = page.context.new_page()
    second.goto(page.url)
    choose(page, *ALL)
    page.get_by_role("button", name="Submit").dblclick()
    page.locator(".told", has_text="Saved").wait_for()
    choose(second, "hard", "yes", "not at all")
    second.get_by_role("button", name="Submit").click()
    second.locator(".told", has_text="answered in another window").wait_for()
    assert second.get_by_role("radio", name="hard").is_checked()
    assert server.said("twice") == {"chain": SENT}


def test_an_answer_that_comes_too_late_is_kept_as_a_draft_and_said_so(
    visit: Visit, server: Served
) -> None:
    late = at_item(visit, "late", "scarce")
    person = select(people.c.id).where(people.c.name == "late").scalar_subquery()
    over = update(assignments).where(assignments.c.person == person).values(reserved_until=1.0)
    server.store.write_now(lambda connection: connection.execute(over))
    rate(at_item(visit, "quick", "scarce"))
    choose(late, *ALL)
    late.get_by_role("button", name="Submit").click()
    late.locator(".told", has_text="Your answer was not counted.").wait_for()
    assert server.said("late") == {}
    late.goto("/past")
    late.get_by_text("draft, not counted").wait_for()


def test_back_shows_the_item_before_as_it_was_answered(visit: Visit) -> None:
    page = at_item(visit, "back")
    rate(page)
    page.go_back()
    page.locator(".told", has_text="You answered this before.").wait_for()
    assert page.get_by_role("radio", name="fully").is_checked()
    page.wait_for_selector("html.scripts")


def test_instructions_are_one_key_away_and_focus_returns(visit: Visit) -> None:
    page = at_item(visit, "reader")
    page.keyboard.press("j")
    page.keyboard.press("i")
    assert page.get_by_role("dialog").get_by_text("Read the whole dialogue first.").is_visible()
    page.keyboard.press("Escape")
    assert focused(page) == "kind"

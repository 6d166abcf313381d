"""Pages on which raters talk with hidden systems, as a browser without scripts asks for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from elements import words_of
from sqlalchemy import select
from tests.web.accounts.clients import Site, csrf, post, send, site
from tests.web.collect.conftest import make_project

from assize.web._queue import set_state, sync_project
from assize.web._storage.schema import assignments, chats, items, messages

STREAM = "application/x-ndjson"
SYSTEMS = [{"name": "DS-hush", "model": "scripted:first"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_project(tmp_path, SYSTEMS, longest_message=50, least_exchanges=1)
    return tmp_path


@pytest.fixture
def here(folder: Path) -> Iterator[Site]:
    with site(folder) as found:
        found.store.write_now(sync_project, found.app.state.web.project, found.now)
        yield found


@pytest.fixture
def ann(here: Site) -> Iterator[Any]:
    """A rater; the app lives as long as she looks at it."""
    with here.visitor("ann") as client:
        yield client


def begun(client: Any) -> str:
    """Begins a chat; returns its address."""
    answer = send(client, "/collect/help")
    assert answer.status_code == 303
    return str(answer.headers["location"])


def say(client: Any, chat: str, text: str = "How?", **headers: str) -> Any:
    token = csrf(client.get(chat).text)
    return client.post(f"{chat}/messages", data={"csrf": token, "text": text}, headers=headers)


def lines(answer: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.fixture
def chat(ann: Any) -> str:
    """The address of a chat that Ann has begun."""
    return begun(ann)


def test_the_way_from_the_task_to_the_questions(here: Site, ann: Any) -> None:
    answer = send(ann, "/t/help/next", "/t/help")
    assert (answer.status_code, answer.headers["location"]) == (307, "/collect/help")
    chat = begun(ann)
    assert say(ann, chat).headers["location"] == f"{chat}#last"
    assert "How?" in words_of(ann.get(chat).text)
    assert send(ann, f"{chat}/end", chat).headers["location"] == f"{chat}/sources"
    page = ann.get(f"{chat}/sources").text
    assert "Nothing was looked up" in page
    (assignment,) = here.column(select(chats.c.assignment))
    assert f'href="/rate/{assignment}"' in page
    assert ann.get(f"/rate/{assignment}").status_code == 200
    assert ann.get("/collect/help").headers["location"] == f"{chat}/sources"
    assert ann.get(chat).headers["location"] == f"{chat}/sources"


def test_a_script_gets_a_line_for_each_piece_and_then_the_whole_answer(ann: Any, chat: str) -> None:
    answer = say(ann, chat, accept=STREAM)
    assert answer.headers["content-type"].startswith(STREAM)
    first, *pieces, end, composer = lines(answer)
    assert first == {"begin": [""]}
    assert {one["side"] for one in pieces} == {""}
    assert "".join(one["text"] for one in pieces) == "{}"
    assert 'class="turn assistant whole"' in end["html"]
    assert "End conversation" in composer["composer"]


def test_what_is_wrong_is_told_and_nothing_has_to_be_typed_twice(
    here: Site, ann: Any, chat: str
) -> None:
    long = "x" * 51
    answer = say(ann, chat, long)
    assert answer.status_code == 409
    assert "At most 50 characters, not 51" in words_of(answer.text)
    assert long in words_of(answer.text)
    assert lines(say(ann, chat, long, accept=STREAM)) == [
        {"problem": "At most 50 characters, not 51."}
    ]
    assert "write a message" in words_of(say(ann, chat, " \n").text)
    assert here.column(select(messages.c.id)) == []


def test_a_closed_task_says_so_and_nothing_that_was_written_is_lost(
    here: Site, ann: Any, chat: str
) -> None:
    say(ann, chat)
    here.store.write_now(set_state, here.app.state.web.project.tasks[0], "closed")
    assert "This task is closed" in words_of(ann.get(chat).text)
    answer = say(ann, chat, "More of it?")
    assert answer.status_code == 409
    assert "This task is closed" in words_of(answer.text)
    assert "More of it?" in words_of(answer.text)
    (told,) = lines(say(ann, chat, accept=STREAM))
    assert "closed" in told["problem"]
    for path in ("/end", "/again", "/topic"):
        answer = send(ann, f"{chat}{path}", chat)
        assert answer.status_code == 409
        assert "This task is closed" in words_of(answer.text)
    assert len(here.column(select(messages.c.id))) == 2
    assert here.column(select(items.c.id)) == []


def test_in_a_paused_task_a_conversation_is_finished_and_rated_but_none_begins(
    here: Site, ann: Any, chat: str
) -> None:
    here.store.write_now(set_state, here.app.state.web.project.tasks[0], "paused")
    assert "you have begun you can finish" in words_of(ann.get("/").text)
    assert 'href="/collect/help"' in ann.get("/t/help").text
    assert ann.get("/collect/help").headers["location"] == chat
    assert "This task is paused" in words_of(send(ann, f"{chat}/topic", chat).text)
    say(ann, chat)
    send(ann, f"{chat}/end", chat)
    assert ann.get("/collect/help").headers["location"] == f"{chat}/sources"
    (number,) = here.column(select(chats.c.assignment))
    rate = f"/rate/{number}"
    revision = {"page.revision": "0", "page.skip": "Another reason"}
    assert send(ann, f"{rate}/skip", rate, **revision).status_code == 303
    assert here.column(select(assignments.c.state)) == ["skipped"]
    assert ann.get("/collect/help").headers["location"] == "/t/help"
    assert 'href="/collect/help"' not in ann.get("/t/help").text


def test_files_that_were_read_again_are_those_of_the_next_conversation(
    here: Site, ann: Any, folder: Path
) -> None:
    begun(ann)
    make_project(folder, [{"name": "DS-other", "model": "scripted:first"}])
    (folder / "topics.jsonl").write_text('{"id": "new", "text": "a new topic"}')
    assert send(here.visitor("lea", "admin"), "/admin/read-again", "/admin").status_code == 200
    ben = here.visitor("ben")
    assert "a new topic" in ben.get(begun(ben)).text
    mine = select(chats.c.systems).where(chats.c.person == here.person("ben"))
    assert here.column(mine) == [["DS-other"]]


def test_the_chat_of_another_rater_is_not_there(here: Site, ann: Any, chat: str) -> None:
    ben = here.visitor("ben")
    token = csrf(ben.get("/collect/help").text)
    for path in ("", "/stream", "/sources"):
        assert ben.get(f"{chat}{path}").status_code == 404
    for path in ("/messages", "/again", "/topic", "/end"):
        assert post(ben, f"{chat}{path}", csrf=token, text="x").status_code == 404
    assert here.column(select(messages.c.id)) == []


def test_an_end_of_all_topics_is_told(ann: Any, chat: str) -> None:
    other = send(ann, f"{chat}/topic", chat).headers["location"]
    assert other != chat
    assert "no further topic" in words_of(send(ann, f"{other}/topic", other).text)


def test_a_task_that_is_not_ready_says_no_more_than_that_and_the_log_says_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make_project(tmp_path, [{"name": "DS-hush", "model": "openai:hush", "base_url": "x"}])
    with site(tmp_path) as here:
        here.store.write_now(sync_project, here.app.state.web.project, here.now)
        with here.visitor("ann") as ann:
            answer = send(ann, "/collect/help")
            assert answer.status_code == 503
            assert "cannot be used" in answer.text
            assert "hush" not in answer.text
    assert "the endpoint's address 'x' must be like" in caplog.text


def test_an_app_without_such_tasks_has_no_such_pages(tmp_path: Path) -> None:
    with site(tmp_path) as here, here.visitor("ann") as ann:
        assert ann.get("/collect/help").status_code == 404


def test_leads_see_how_far_it_is_and_raters_do_not(here: Site, ann: Any, chat: str) -> None:
    say(ann, chat)
    send(ann, f"{chat}/end", chat)
    page = words_of(here.visitor("lea", "admin").get("/collect/help/overview").text)
    assert "1 conversation has ended, of 1 rater; 0 under way" in page
    assert "DS-hush" in page
    assert ann.get("/collect/help/overview").status_code == 404

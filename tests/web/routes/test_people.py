"""One's own account, and people as leads see them."""

from __future__ import annotations

import asyncio
import csv
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.web.accounts.clients import PASSWORD, Site, post, send

from assize.web._accounts.people import person_of
from assize.web._storage.schema import invitations, sessions

NEW = "five other plain old words"


@pytest.fixture
def here(here: Site) -> Site:
    here.person("Lea", "admin")
    return here


@pytest.fixture
def lea(here: Site) -> Any:
    return here.visitor("Lea")


@pytest.fixture
def path(here: Site) -> str:
    """The page about Ana."""
    return f"/admin/people/{here.person('Ana')}"


def invite(lea: Any, **changes: str) -> Any:
    whole = {"names": "", "count": "1", "role": "rater", "task": "", "days": "7"}
    return send(lea, "/admin/people/invite", "/admin/people", **{**whole, **changes})


def state(here: Site, name: str) -> Any:
    return here.store.read_now(person_of, here.person(name))


def links(page: str) -> list[str]:
    return re.findall(r'value="http://testserver(/invitation/[^"]+)"', unescape(page))


def test_a_password_is_changed_and_other_sessions_end(here: Site) -> None:
    client, elsewhere = here.visitor("Ana"), here.visitor("Ana")
    done = send(client, "/me/password", "/me", present=PASSWORD, password=NEW, again=NEW)
    assert "The password is changed" in done.text
    assert client.get("/me").status_code == 200
    assert elsewhere.get("/me").status_code == 303
    assert post(here.visitor(), "/sign-in", name="Ana", password=NEW).status_code == 303


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"present": "wrong", "password": NEW, "again": NEW}, "not your present password"),
        ({"present": PASSWORD, "password": NEW, "again": "x"}, "differ"),
        ({"present": PASSWORD, "password": "short", "again": "short"}, "at least 10"),
    ],
)
def test_a_password_that_cannot_be_changed_stays(
    here: Site, fields: dict[str, str], said: str
) -> None:
    client, elsewhere = here.visitor("Ana"), here.visitor("Ana")
    done = send(client, "/me/password", "/me", **fields)
    assert done.status_code == 400
    assert said in done.text
    assert elsewhere.get("/me").status_code == 200


def test_signing_out_elsewhere_keeps_this_session(here: Site) -> None:
    client, elsewhere = here.visitor("Ana"), here.visitor("Ana")
    send(client, "/me/sign-out-elsewhere", "/me")
    assert (client.get("/me").status_code, elsewhere.get("/me").status_code) == (200, 303)


def test_own_data_come_as_a_file(here: Site) -> None:
    done = here.visitor("Ana").get("/me/data.json")
    assert done.headers["content-disposition"] == 'attachment; filename="my-data.json"'
    assert done.json()["name"] == "Ana"
    assert "password" not in done.text


def test_leaving_needs_the_password_a_choice_and_a_tick(here: Site) -> None:
    client = here.visitor("Ana")
    whole = {"password": PASSWORD, "answers": "keep", "sure": "yes"}
    for wrong in ({"password": "wrong"}, {"answers": ""}, {"answers": "sell"}, {"sure": ""}):
        done = send(client, "/me/leave", "/me", **{**whole, **wrong})
        assert done.status_code == 400
    assert not state(here, "Ana").deleted
    done = send(client, "/me/leave", "/me", **whole)
    assert "Your account is deleted" in done.text
    assert state(here, "Ana").deleted == here.now
    assert client.get("/me").status_code == 303


def test_a_lead_invites_and_sees_the_link_once(here: Site, lea: Any) -> None:
    (link,) = links(invite(lea).text)
    post(here.visitor(), link, name="Ana", password=PASSWORD, again=PASSWORD)
    assert "Ana" in lea.get("/admin/people").text
    assert link not in lea.get("/admin/people").text


def test_each_name_gets_a_link_of_its_own(here: Site, lea: Any) -> None:
    done = invite(lea, names="Ana\r\n\r\n Ben Bo \r\n", count="9", days="1")
    assert len(set(links(done.text))) == 2
    assert here.column(select(invitations.c.name).order_by(invitations.c.name)) == ["Ana", "Ben Bo"]
    assert set(here.column(select(invitations.c.expires))) == {here.now + 86400}


def test_links_come_as_a_csv_file_too(here: Site, lea: Any) -> None:
    done = invite(lea, names="Ana\nBen", count="", **{"as": "csv"})
    assert done.headers["content-disposition"] == 'attachment; filename="links.csv"'
    head, *rows = csv.reader(done.text.splitlines())
    assert head == ["name", "link"]
    assert [name for name, _ in rows] == ["Ana", "Ben"]
    assert all(link.startswith("http://testserver/invitation/") for _, link in rows)


def test_who_changed_a_role_or_deleted_an_account_is_one_line_in_the_log(
    here: Site, lea: Any, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    number = path.rpartition("/")[2]
    send(lea, f"{path}/role", path, role="admin")
    send(lea, f"{path}/delete", path, answers="remove", sure="yes")
    roles, deleted = caplog.messages
    assert roles == f"Lea: set_role of person {number} ('admin',)"
    assert deleted.startswith(f"Lea: leave of person {number} ")
    assert "Ana" not in caplog.text


def test_leaving_removes_what_dashboards_keep(
    here: Site, lea: Any, tmp_path: Path, path: str
) -> None:
    web = here.app.state.web
    asyncio.run(web.cache.get("raters", "1", lambda: "Ana"))
    folder = tmp_path / ".assize" / "dashboards" / "one"
    folder.mkdir(parents=True)
    send(lea, f"{path}/delete", path, answers="keep", sure="yes")
    assert not folder.exists()
    assert asyncio.run(web.cache.get("raters", "2", lambda: "nobody")).value == "nobody"
    assert not web.cache._kept["raters"].stale


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"names": "Ana\nLEA"}, "taken"),
        ({"names": "Ana\nana"}, "taken"),
        ({"names": "\n".join(f"r{place}x" for place in range(201))}, "at most 200"),
        ({"count": "0"}, "from 1 to 200"),
        ({"count": "201"}, "from 1 to 200"),
        ({"count": "many"}, "from 1 to 200"),
        ({"role": "owner"}, "Choose a role"),
        ({"days": "36500"}, "how long"),
        ({"task": "../../etc"}, "no task"),
    ],
)
def test_links_that_cannot_be_made_make_none(
    here: Site, lea: Any, wrong: dict[str, str], said: str
) -> None:
    done = invite(lea, **wrong)
    assert done.status_code == 400
    assert said in done.text
    assert here.column(select(invitations.c.token)) == []


def test_a_link_is_taken_back(here: Site, lea: Any) -> None:
    invite(lea)
    (id,) = here.column(select(invitations.c.token))
    send(lea, "/admin/people/revoke", "/admin/people", id=id)
    assert here.column(select(invitations.c.token)) == []
    assert send(lea, "/admin/people/revoke", "/admin/people", id=id).status_code == 404


def test_a_role_is_changed_at_once_both_ways(here: Site, lea: Any, path: str) -> None:
    client = here.visitor("Ana")
    for role, status in (("admin", 200), ("rater", 404)):
        send(lea, f"{path}/role", path, role=role)
        assert client.get("/admin/people").status_code == status
    assert send(lea, f"{path}/role", path, role="god").status_code == 400


def test_who_is_shut_out_is_out_at_once_and_can_come_back(here: Site, lea: Any, path: str) -> None:
    client = here.visitor("Ana")
    send(lea, f"{path}/disabled", path, disabled="yes")
    assert client.get("/me").status_code == 303
    assert post(client, "/sign-in", name="Ana", password=PASSWORD).status_code == 403
    send(lea, f"{path}/disabled", path, disabled="no")
    assert client.get("/me").status_code == 303
    assert post(client, "/sign-in", name="Ana", password=PASSWORD).status_code == 303


def test_the_last_admin_stays_one(here: Site, lea: Any) -> None:
    path = f"/admin/people/{here.person('Lea')}"
    done = send(lea, f"{path}/role", path, role="rater")
    assert done.status_code == 400
    assert "Nobody would be left to lead" in done.text
    assert send(lea, f"{path}/disabled", path, disabled="yes").status_code == 400
    assert state(here, "Lea").role == "admin"


def test_a_forgotten_password_is_replaced_by_a_link_and_every_session_ends(
    here: Site, lea: Any, path: str
) -> None:
    before, after = here.visitor("Ana"), here.visitor()
    (link,) = links(send(lea, f"{path}/password", path).text)
    assert post(after, link, password=NEW, again=NEW).status_code == 303
    assert (before.get("/me").status_code, after.get("/me").status_code) == (303, 200)
    assert post(here.visitor(), "/sign-in", name="Ana", password=NEW).status_code == 303


def test_deleting_asks_what_becomes_of_the_answers(here: Site, lea: Any, path: str) -> None:
    assert send(lea, f"{path}/delete", path, sure="yes").status_code == 400
    assert send(lea, f"{path}/delete", path, answers="remove").status_code == 400
    assert not state(here, "Ana").deleted
    send(lea, f"{path}/delete", path, answers="remove", sure="yes")
    assert state(here, "Ana").name.startswith("deleted-")
    assert here.column(select(sessions.c.person)) == [here.person("Lea")]


def test_nobody_is_not_found(here: Site, lea: Any) -> None:
    for number in ("99", "0", "-1", "x", "9" * 30):
        assert lea.get(f"/admin/people/{number}").status_code == 404
    assert send(lea, "/admin/people/99/role", "/admin/people", role="admin").status_code == 404

"""No address and no file of a project leads to a file outside it."""

from __future__ import annotations

import io
import socket
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.webapp.accounts.projects import TASK, write_project
from tests.webapp.attacks.crawler import api_routes, filled_in, methods_of
from tests.webapp.attacks.world import World, csrf

from assize.errors import DataError
from assize.webapp.project import read_project

OUT = (
    "../../../../../../etc/passwd",
    "..%2f..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "..%5c..%5cetc%5cpasswd",
    "....//....//etc/passwd",
    "%252e%252e%252fetc%252fpasswd",
    "/etc/passwd",
    "..%00/etc/passwd",
    "project.yaml",
    "../assize.db",
    "assize.db",
)


def raw(world: World, path: str, name: str, role: str) -> bytes:
    """The answer to a path that no client has tidied up."""
    with socket.create_connection(world.address, timeout=30) as connection:
        cookie = f"cookie: assize={world.token(name, role)}"
        head = f"GET {path} HTTP/1.1\r\nhost: x\r\n{cookie}\r\nconnection: close\r\n\r\n"
        connection.sendall(head.encode())
        return connection.makefile("rb").read()


def leaked(answer: bytes) -> bool:
    """Whether it holds a file of the machine or the database."""
    return b"root:" in answer or b"SQLite format" in answer or b"contact:" in answer


@pytest.mark.parametrize("out", OUT)
def test_no_address_leads_out(world: World, out: str) -> None:
    """Of static files, and in every place of an address that is a parameter."""
    for path in (f"/static/{out}", f"/static/../{out}", f"/{out}", f"/static//{out}"):
        answer = raw(world, path, "Lea", "admin")
        assert not leaked(answer), path
        assert answer.split()[1] in (b"404", b"400", b"405"), path
    for route in api_routes(world.app):
        if "GET" in methods_of(route) and route.param_convertors:
            path = filled_in(route, dict.fromkeys(route.param_convertors, out.lstrip("/")))
            answer = raw(world, path, "Lea", "admin")
            assert not leaked(answer), path
            assert answer.split()[1] in (b"404", b"400", b"405"), path


@pytest.mark.parametrize("name", ["../x", "a/b", "a\\b", ".", "..", "", "a b", "x" * 61, "-x", "é"])
def test_a_task_cannot_have_a_name_that_leads_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError):
        write_project(tmp_path, task=TASK.replace("task: chats", f"task: '{name}'"))


def test_a_wrong_task_file_is_told_to_leads_and_changes_nothing(world: World) -> None:
    path, before = world.folder / "tasks" / "rate.yaml", world.state()
    text = path.read_text()
    try:
        path.write_text(text.replace("conversations.jsonl", "../../../../etc/passwd"))
        with world.visitor("Lea", "admin") as client:
            answer = client.post("/admin/read-again", data={"csrf": csrf(client)})
        assert answer.status_code == 400
        assert "Nothing was changed" in answer.text
    finally:
        path.write_text(text)
    assert world.state() == before
    assert read_project(world.folder).task("rate") is not None


def test_downloads_have_plain_names(world: World) -> None:
    """Their names come from the app, and inside an archive no name leads out."""
    for name, role in (("Ana", "rater"), ("Lea", "admin")):
        for path, answer in world.crawled(name, role).pages.items():
            said = answer.headers.get("content-disposition", "")
            if "filename" not in said:
                continue
            file = said.partition('filename="')[2].rstrip('"')
            assert file, path
            assert not set(file) & set('/\\"<>\r\n;'), path
            for inner in names_inside(answer.content):
                assert not inner.startswith("/"), path
                assert ".." not in Path(inner).parts, path


def names_inside(content: bytes) -> list[str]:
    """Of the files in an archive; none where it is no archive."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        return zipfile.ZipFile(io.BytesIO(content)).namelist()
    if content[:2] == b"\x1f\x8b":
        with tarfile.open(fileobj=io.BytesIO(content)) as found:
            return found.getnames()
    return []

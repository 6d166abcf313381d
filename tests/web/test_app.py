"""The app as a whole: errors are pages, static files are kept, routes check what they are sent."""

from __future__ import annotations

import ast
import asyncio
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient
from tests.web.blank import with_tables

from assize.web._app import ROUTES, create_app
from assize.web._project import read_project
from assize.web._routes.viewer import checked_form
from assize.web._storage import open_store


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    project = read_project(tmp_path)
    return TestClient(create_app(project, open_store(with_tables(project.database))))


@pytest.mark.parametrize("path", ["/nothing/here", "/docs", "/redoc", "/openapi.json"])
def test_what_is_not_there_is_a_page_and_the_interface_is_not_described_to_strangers(
    client: TestClient, path: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is no such page" in answer.text


def test_a_file_with_its_hash_may_be_kept_for_ever(client: TestClient) -> None:
    assert "immutable" in client.get("/static/style.css?1234").headers["cache-control"]
    assert client.get("/static/style.css").headers["cache-control"] == "no-store"


def dependencies(dependant: Any) -> Iterator[Any]:
    for part in dependant.dependencies:
        yield part
        yield from dependencies(part)


def test_every_route_that_changes_something_checks_the_token() -> None:
    """Each handler of a POST takes the checked form, or calls `posted` itself."""
    modules = [import_module(f"assize.web._routes.{name}") for name in ROUTES]
    routes = [one for module in modules for one in module.router.routes]
    assert all(isinstance(one, APIRoute) for one in routes)
    changing = [one for one in routes if one.methods & {"POST", "PUT", "PATCH", "DELETE"}]
    assert changing
    for one in changing:
        tree = ast.parse(dedent(inspect.getsource(one.endpoint)))
        called = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        checked = any(part.call is checked_form for part in dependencies(one.dependant))
        assert checked or "posted" in called, f"{one.path} never checks the form's token"


def test_a_client_that_goes_away_is_one_line(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    """It sends a part of a form and closes the connection."""
    parts = iter([{"type": "http.request", "body": b"name=", "more_body": True}])

    async def receive() -> Any:
        return next(parts, {"type": "http.disconnect"})

    async def send(message: Any) -> None:
        """Nobody listens any more."""

    headers = [(b"host", b"testserver"), (b"content-length", b"9")]
    scope = {"type": "http", "method": "POST", "path": "/sign-in", "raw_path": b"/sign-in"}
    scope |= {"query_string": b"", "headers": headers, "http_version": "1.1", "scheme": "http"}
    app: Any = client.app
    asyncio.run(app({**scope, "root_path": "", "client": None, "server": None}, receive, send))
    assert caplog.messages == ["POST /sign-in: the client went away"]
    assert caplog.records[0].exc_info is None

"""A small task served in this process, and what raters do there without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.web.accounts.clients import NOW, Site, csrf, post, site
from tests.web.raters.conftest import write_project

from assize.web._project import read_project
from assize.web._queue import sync_project


@contextmanager
def rating_site(folder: Path, task: str = "raters_per_item: 9\n") -> Iterator[Site]:
    """The app of a project with four conversations and one question."""
    write_project(folder, task)
    with site(folder) as found:
        found.store.write_now(sync_project, read_project(folder), NOW)
        yield found


def begin(client: Any, task: str = "small") -> str:
    """Takes the first item; its address."""
    token = csrf(client.get(f"/t/{task}").text)
    where = post(client, f"/t/{task}/next", csrf=token).headers["location"]
    assert where.startswith("/rate/"), where
    return str(where)


def fields(page: str) -> dict[str, str]:
    """The hidden fields of the item's form."""
    whole = page.partition('id="answers"')[2]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', whole))


def answer(client: Any, where: str, path: str = "", **given: Any) -> Any:
    """Sends an item's form as it was opened."""
    return post(client, where + path, **{**fields(client.get(where).text), **given})


def reword(found: Site, folder: Path) -> None:
    """Changes what all items say."""
    file = folder / "talks.jsonl"
    file.write_text(file.read_text().replace("Reply", "Another reply"))
    found.store.write_now(sync_project, read_project(folder), NOW)

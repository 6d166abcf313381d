from __future__ import annotations

import json
from pathlib import Path

import pytest

from assize.base.errors import DataError
from assize.retrieval import Page
from assize.simulate._mining.pages import (
    Capture,
    as_text,
    documents_of,
    read_allowed,
    read_pages,
    why_left_out,
)

BODY = "Rotate the second key first, then point every client to it. " * 4
GOOD = f"<html><head><title>Keys</title></head><body><p>{BODY}</p></body></html>"


def reason(body: str, title: str = "", status: int | None = None) -> str | None:
    page = Capture("x.org", body, title, status)
    return why_left_out(page, *as_text(page))


@pytest.mark.parametrize(
    ("body", "title", "status", "why"),
    [
        (GOOD, "", 200, None),
        (BODY, "", None, None),
        (GOOD, "", 404, "broken"),
        (GOOD, "", 500, "broken"),
        (GOOD, "", 401, "needs a login"),
        (GOOD, "", 402, "behind a paywall"),
        ("", "", 200, "broken"),
        ("<html><title>Page not found</title><p>Sorry.</p>", "", None, "broken"),
        ("<p>This content has been removed by its author.</p>", "", None, "broken"),
        ("<title>Sign in to Portal</title><p>Welcome.</p>", "", None, "needs a login"),
        ("<p>Hello</p><form><input name=p type='password'></form>", "", None, "needs a login"),
        (f"<p>{BODY}</p><p>Subscribe to continue reading.</p>", "", None, "behind a paywall"),
        (
            f'<script>{{"isAccessibleForFree": "False"}}</script><p>{BODY}</p>',
            "",
            None,
            "behind a paywall",
        ),
        ("<p>Three words here.</p>", "", 200, "too little text"),
    ],
)
def test_what_is_broken_closed_or_empty_is_left_out(
    body: str, title: str, status: int | None, why: str | None
) -> None:
    assert reason(body, title, status) == why


def test_a_long_page_that_only_talks_of_logins_and_404_stays() -> None:
    text = "If you see a 404 error you must log in again. " + BODY * 8
    assert reason(f"<p>{text}</p><input type=password>") is None


def test_documents_are_whole_counted_and_allowed() -> None:
    pages = {
        "x.org/a": Capture("https://x.org/a", GOOD),
        "x.org/c": Capture("x.org/c", "", status=404),
    }
    clicks = {"https://x.org/a": 3, "https://x.org/b": 1, "x.org/c": 2}
    found, gone = documents_of(clicks, pages, None)
    assert found == [Page("https://x.org/a", BODY.strip(), "Keys", {"clicks": 3})]
    assert gone == {"no page given": 1, "broken": 1}
    found, gone = documents_of(clicks, pages, {"x.org/b"})
    assert (found, gone["not on the list of allowed addresses"]) == ([], 2)


def test_pages_come_from_lines_from_an_index_or_from_files_named_by_address(tmp_path: Path) -> None:
    lines = tmp_path / "pages.jsonl"
    lines.write_text(json.dumps({"url": "https://x.org/a", "html": GOOD, "status": 200}) + "\n")
    assert read_pages(lines) == {"x.org/a": Capture("https://x.org/a", GOOD, "", 200)}
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "https%3A%2F%2Fx.org%2Fa.html").write_text(GOOD)
    assert read_pages(folder) == {"x.org/a": Capture("https://x.org/a", GOOD)}
    (folder / "one.html").write_text(GOOD)
    (folder / "index.csv").write_text("address,file\nx.org/z,one.html\n")
    assert read_pages(folder) == {"x.org/z": Capture("x.org/z", GOOD)}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"html": "x"}, "a page has an address"),
        ({"address": "x.org"}, "a page has an address and"),
        ({"address": "x.org", "file": "../secret"}, "no file '../secret'"),
    ],
)
def test_a_bad_row_of_pages_is_named(row: dict[str, str], problem: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "pages.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(DataError, match=rf"pages\.jsonl:1: .*{problem}"):
        read_pages(inside / "pages.jsonl")


def test_allowed_addresses_are_read_a_line_each(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# mine\nhttps://www.x.org/a/\n\n")
    assert read_allowed(tmp_path / "a.txt") == {"x.org/a"}
    with pytest.raises(DataError, match="there is no such file"):
        read_allowed(tmp_path / "none.txt")

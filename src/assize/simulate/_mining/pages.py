"""Pages to plain text; what is broken, or stands behind a login or a paywall, is left out.

Nothing is fetched. Pages are given: as JSON lines, or as a folder of files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from assize.base.errors import DataError
from assize.formats.rows import open_rows, readable
from assize.retrieval import Page
from assize.retrieval.html_text import html_decoded, html_text
from assize.simulate._mining.clicks import address_key
from assize.simulate._mining.queries import address_in
from assize.simulate._text_lines import read_entries

LEAST_WORDS = 20
_SHORT = 150  # words up to which a page that says it is not there is believed
_INDEX = ("index.jsonl", "index.csv")
_HTML = re.compile(r"<(?:!doctype html|html|head|body|div|p|title|h1)\b", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:page (?:was |could )?not (?:be )?found|404(?: not found)?$|404 error|error 404"
    r"|no longer (?:available|exists)|(?:page|content|post|site)[^.\n]{0,40}"
    r"(?:has been (?:removed|deleted)|does(?:n't| not) exist|can(?:'t|not) be (?:found|reached))"
    r"|domain (?:is )?for sale|this account has been suspended)",
    re.IGNORECASE | re.MULTILINE,
)
_LOGIN_TITLE = re.compile(r"^(?:please )?(?:sign|log)[ -]?(?:in|on)\b|\blogin\b", re.IGNORECASE)
_LOGIN = re.compile(
    r"\b(?:(?:sign|log) ?in (?:to (?:continue|view|see|read|access)|required)"
    r"|you (?:must|need to) (?:be )?(?:sign|log)(?:ged)?[ -]?in)",
    re.IGNORECASE,
)
_PASSWORD = re.compile(r"<input[^>]+type\s*=\s*[\"']?password", re.IGNORECASE)
_PAYWALL = re.compile(
    r"\b(?:subscribe (?:now )?to (?:continue|keep) reading|to continue reading,? (?:please )?"
    r"(?:subscribe|buy|become)|(?:article|content|story) is (?:only )?(?:available )?(?:for|to)"
    r" (?:paid |paying )?(?:subscribers|members)|already a subscriber\?"
    r"|unlock this (?:article|story)|free articles? (?:left|remaining|this month))",
    re.IGNORECASE,
)
_NOT_FREE = re.compile(r"[\"']isAccessibleForFree[\"']\s*:\s*[\"']?false", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Capture:
    """What was kept of an address: its source as HTML or text, and what the server answered."""

    address: str
    body: str
    title: str = ""
    status: int | None = None


def documents_of(
    clicks: Mapping[str, int],
    pages: Mapping[str, Capture],
    allowed: set[str] | None,
    least_words: int = LEAST_WORDS,
) -> tuple[list[Page], Counter[str]]:
    """The texts of clicked addresses, whole; and why others have none.

    Args:
        clicks: by address.
        pages: by the key of their address; see `clicks.address_key`.
        allowed: keys of addresses that may be used; None for all.

    Source: LLM-Rubric, section 3.1: pages that need a login, stand behind a paywall or are gone
    are left out, as are addresses outside of a list; title and body become plain text without
    truncation. How the paper knew them is not said; the rules are ours.
    """
    found, gone = [], Counter[str]()
    for address, count in clicks.items():
        key = address_key(address)
        page = pages.get(key)
        if allowed is not None and key not in allowed:
            gone["not on the list of allowed addresses"] += 1
        elif page is None:
            gone["no page given"] += 1
        else:
            title, text = as_text(page)
            reason = why_left_out(page, title, text, least_words)
            if reason is None:
                found.append(Page(address, text, title, {"clicks": count}))
            else:
                gone[reason] += 1
    return found, gone


def as_text(page: Capture) -> tuple[str, str]:
    """Title and text."""
    if not _HTML.search(page.body[:5000]):
        return page.title, page.body.strip()
    read = html_text(page.body)
    return page.title or read.title, read.text


def why_left_out(
    page: Capture, title: str, text: str, least_words: int = LEAST_WORDS
) -> str | None:
    """The reason, by what the server answered, then by what the page says; None to keep it."""
    if page.status is not None and page.status >= 400:
        named = {401: "needs a login", 403: "needs a login", 402: "behind a paywall"}
        return named.get(page.status, "broken")
    count = len(text.split())
    if not page.body.strip():
        return "broken"
    if count <= _SHORT and (_GONE.search(title) or _GONE.search(text)):
        return "broken"
    if _PAYWALL.search(text) or _NOT_FREE.search(page.body):
        return "behind a paywall"
    asks = _LOGIN_TITLE.search(title) or _LOGIN.search(text) or _PASSWORD.search(page.body)
    if count <= _SHORT and asks:
        return "needs a login"
    return "too little text" if count < least_words else None


def read_pages(place: str | Path) -> dict[str, Capture]:
    """Pages by the key of their address.

    Args:
        place: JSON lines or a table with `address` (or `url`) and `html` (or `text`), and
            `status` and `title` where known; or a folder. A folder has an `index.jsonl` or
            `index.csv` with `address` and `file`, or files whose names are quoted addresses:
            `https%3A%2F%2Fexample.org%2Fa.html`.

    Raises:
        DataError: there is no such file, or a row names no address.
    """
    where = Path(place)
    rows = _folder(where) if where.is_dir() else _table(str(place), where.parent)
    found = {address_key(page.address): page for page in rows}
    if not found:
        raise DataError("there is no page; see the docs of topics for the form", source=str(place))
    return found


def _folder(folder: Path) -> Iterator[Capture]:
    index = next((folder / one for one in _INDEX if (folder / one).is_file()), None)
    if index is not None:
        yield from _table(str(index), folder)
        return
    for path in sorted(folder.iterdir()):
        if path.is_file():
            address = unquote(path.name)
            named = re.sub(r"\.(?:html?|txt|md)$", "", address) if "%" in path.name else address
            yield Capture(named, _content(path))


def _table(location: str, folder: Path) -> Iterator[Capture]:
    with open_rows(location) as (_, rows):
        for row in readable(rows):
            yield _page(row.value, folder, row.source, row.line)


def _page(row: Any, folder: Path, source: str, line: int) -> Capture:
    said = row if isinstance(row, Mapping) else {}
    address, body = address_in(said), said.get("html") or said.get("text")
    file, status = said.get("file"), said.get("status")
    if not address or not (file or body or status):
        fields = ", ".join(map(str, said)) or f"{row!r:.60}"
        problem = f"received {fields}; a page has an address and its html, text or file"
        raise DataError(problem, source=source, line=line)
    if file and not body:
        inside = (folder / str(file)).resolve()
        if not inside.is_relative_to(folder.resolve()) or not inside.is_file():
            raise DataError(f"no file {file!r} in {folder}", source=source, line=line)
        body = _content(inside)
    known = int(str(status)) if str(status).isdecimal() else None
    return Capture(str(address), str(body or ""), str(said.get("title") or ""), known)


def _content(path: Path) -> str:
    return html_decoded(path.read_bytes())[0]


def read_allowed(path: str | Path) -> set[str]:
    """Keys of the addresses in a file, one a line; lines with # are comments."""
    return {address_key(line) for line in read_entries(path)}

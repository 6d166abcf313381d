"""Finds what a visitor can reach: every page behind a link, every form on it.

Nothing here knows a page by name: what is linked or is a form is found, what the app routes and
nobody links is filled in from what was found. A new page is attacked from the day it is linked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import httpx2
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Match

WRITTEN = ("text", "search", "textarea", "password", "email", "url", "tel", "")
LIKE_ONE_ANOTHER = 20  # pages of one route that are visited
ASKED_ALIKE = 4  # of them with the same names in the query


@dataclass(frozen=True, slots=True)
class Input:
    """A field of a form; `type` is of the input, or `textarea`, `select`, `button`."""

    name: str
    type: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A form as a page holds it; `path` is where it goes, with its query."""

    path: str
    method: str
    fields: tuple[Input, ...] = ()
    page: str = ""

    def filled(self, text: str | None = None, choice: int = 0) -> dict[str, str]:
        """What a browser sends: an answer of every group, `text` in every text field.

        Args:
            choice: which of the radio buttons of a group; the last where there are fewer.
        """
        found: dict[str, str] = {}
        radios = Counter[str]()
        for one in self.fields:
            if one.type in WRITTEN and text is not None:
                found[one.name] = text
            elif one.type == "radio":
                if radios[one.name] <= choice:
                    found[one.name] = one.value
                radios[one.name] += 1
            elif one.type in ("checkbox", "select", "button"):
                found.setdefault(one.name, one.value)
            else:
                found[one.name] = one.value
        return {name: value for name, value in found.items() if name}


class _Reader(HTMLParser):
    """Links and forms of a page."""

    def __init__(self, page: str, text: str) -> None:
        super().__init__()
        self.page = page
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._open: list[Form] = []
        self._drafts: list[str] = []
        self._select = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a link or a field."""
        at = {name: value or "" for name, value in attrs}
        self.links += [at[name] for name in ("href", "src", "hx-get") if name in at]
        self.links += [
            value
            for name, value in at.items()
            if name.startswith("data-") and value.startswith("/")
        ]
        for name in ("hx-post", "formaction"):
            if name in at and tag != "form":
                self.forms.append(self._form(at[name], "post", self._within()))
        if tag == "form":
            self._open.append(self._form(at.get("action", ""), at.get("method", "get")))
            self._drafts.append(at.get("data-draft", ""))
        elif tag == "select":
            self._select = at.get("name", "")
        elif tag == "option" and self._select:
            self._add(Input(self._select, "select", at.get("value", "")))
        elif tag in ("input", "textarea", "button"):
            kind = at.get("type", "").lower() if tag == "input" else tag
            value = at.get("value") or at.get("min", "")
            self._add(Input(at.get("name", ""), kind, value))

    def handle_endtag(self, tag: str) -> None:
        """Ends a form."""
        if tag == "form" and self._open:
            form, draft = self._open.pop(), self._drafts.pop()
            if draft:
                self.forms.append(replace(form, path=draft))
            self.forms.append(form)
        elif tag == "select":
            self._select = ""

    def close(self) -> None:
        """Keeps forms that nothing closed."""
        super().close()
        self.forms += self._open

    def _within(self) -> tuple[Input, ...]:
        return self._open[-1].fields if self._open else ()

    def _form(self, action: str, method: str, fields: tuple[Input, ...] = ()) -> Form:
        return Form(urljoin(self.page, action or self.page), method.lower(), fields, self.page)

    def _add(self, more: Input) -> None:
        if self._open:
            self._open[-1] = replace(self._open[-1], fields=(*self._open[-1].fields, more))


@dataclass
class Found:
    """What a visitor reached: by path with its query the status and text; forms; files."""

    pages: dict[str, httpx2.Response] = field(default_factory=dict)
    forms: list[Form] = field(default_factory=list)

    @property
    def posts(self) -> list[Form]:
        """Forms that change something, one for each path and set of fields."""
        seen: dict[Any, Form] = {}
        for one in self.forms:
            if one.method == "post":
                seen.setdefault((one.path, tuple(sorted({f.name for f in one.fields}))), one)
        return list(seen.values())

    @property
    def html(self) -> list[str]:
        """Paths of pages that a browser shows."""
        return [path for path, one in self.pages.items() if is_page(one)]


def is_page(answer: httpx2.Response) -> bool:
    """Whether a browser shows it."""
    return answer.headers.get("content-type", "").startswith("text/html")


def read_forms(path: str, text: str) -> list[Form]:
    """The forms of one page."""
    reader = _Reader(path, text)
    reader.close()
    return reader.forms


def crawl(client: httpx2.Client, app: FastAPI, start: Iterable[str] = ("/",)) -> Found:
    """Follows every link of the site from `start` on, GET forms as they stand among them.

    At last it asks for what no page links, where it can be guessed from what was found.
    """
    found, waiting, alike = Found(), list(start), dict[tuple[str, ...], int]()
    guessed = False
    while waiting or not guessed:
        if not waiting:
            waiting, guessed = unlinked(app, found), True
            continue
        path = waiting.pop(0)
        if path in found.pages:
            continue
        like = likeness(app, path)
        most = LIKE_ONE_ANOTHER if len(like) == 1 else ASKED_ALIKE
        if alike.get(like, 0) >= most:
            continue
        alike[like] = alike.get(like, 0) + 1
        answer = found.pages[path] = client.get(path)
        if "location" in answer.headers:
            waiting.append(_own(path, answer.headers["location"]))
        if not is_page(answer):
            continue
        reader = _Reader(path, answer.text)
        reader.close()
        found.forms += reader.forms
        waiting += [_own(path, one) for one in reader.links]
        waiting += [_asked(one) for one in reader.forms if one.method == "get"]
        waiting = [one for one in waiting if one]
    return found


def _own(page: str, link: str) -> str:
    """A link as a path with its query; "" where it leads elsewhere or to a file of `static/`."""
    parts = urlsplit(urljoin(page, link))
    if parts.scheme or parts.netloc or parts.path.startswith("/static/"):
        return ""
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _asked(form: Form) -> str:
    return _own(form.page, f"{urlsplit(form.path).path}?{urlencode(form.filled())}")


def likeness(app: FastAPI, path: str, method: str = "GET") -> tuple[str, ...]:
    """The same for addresses that one route serves with the same names in the query."""
    found = route_of(app, path, method)
    query = sorted({name for name, _ in parse_qsl(urlsplit(path).query, keep_blank_values=True)})
    return (path if found is None else found.path, *query)


def api_routes(app: FastAPI) -> list[APIRoute]:
    """Every route that the app has, those of its routers among them."""
    inner = [getattr(one, "original_router", one) for one in app.routes]
    flat = [two for one in inner for two in getattr(one, "routes", [one])]
    return [one for one in flat if isinstance(one, APIRoute)]


def methods_of(route: APIRoute) -> set[str]:
    """GET, POST or both."""
    return route.methods or set()


@cache
def route_of(app: FastAPI, path: str, method: str = "GET") -> APIRoute | None:
    """The route that serves a path."""
    scope = {"type": "http", "path": urlsplit(path).path, "method": method, "root_path": ""}
    for one in api_routes(app):
        if one.matches(scope)[0] is Match.FULL:
            return one
    return None


def parameters_of(app: FastAPI, path: str, method: str = "GET") -> Mapping[str, str]:
    """What stands in a path in the place of its route's parameters."""
    found = route_of(app, path, method)
    if found is None:
        return {}
    matched = found.path_regex.match(urlsplit(path).path)
    return {} if matched is None else matched.groupdict()


def examples(app: FastAPI, paths: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By name of a parameter, a value that stood in some path (method, path) that was found."""
    found: dict[str, str] = {}
    for method, path in paths:
        for name, value in parameters_of(app, path, method).items():
            found.setdefault(name, value)
    return found


def filled_in(route: APIRoute, known: Mapping[str, str]) -> str:
    """A path of a route, parameters from `known`, 1 where nothing is known."""
    path = route.path_format
    for name in route.param_convertors:
        path = path.replace("{" + name + "}", known.get(name, "1"))
    return path


def unlinked(app: FastAPI, found: Found) -> list[str]:
    """An address of each route that was not reached, below or above one that was."""
    reached = {
        route.path: path
        for path, answer in found.pages.items()
        if answer.status_code < 400 and (route := route_of(app, path)) is not None
    }
    guessed: dict[str, str] = {}
    for route in api_routes(app):
        if route.path in reached or "GET" not in methods_of(route):
            continue
        for near, path in reached.items():
            known = parameters_of(app, path)
            if (near.startswith(f"{route.path}/") or route.path.startswith(f"{near}/")) and (
                route.param_convertors.keys() <= known.keys()
            ):
                guessed[route.path] = filled_in(route, known)
    return list(guessed.values())


def changed_one_by_one(
    values: Mapping[str, str], to: str, spared: Collection[str] = ()
) -> Iterator[dict[str, str]]:
    """The same values, each time another one replaced; the form's token stays, and `spared`."""
    for name in values:
        if name != "csrf" and name not in spared:
            yield {**values, name: to}


def guards_of(route: APIRoute) -> set[str]:
    """Names of the functions that a route depends on."""
    found, waiting = set(), [route.dependant]
    while waiting:
        one = waiting.pop()
        if one.call is not None:
            found.add(getattr(one.call, "__name__", ""))
        waiting += one.dependencies
    return found

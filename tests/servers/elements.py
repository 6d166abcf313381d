"""A page as a browser sees it: elements with their attributes, and words."""

from __future__ import annotations

from html.parser import HTMLParser


class Elements(HTMLParser):
    """All elements of a page with their attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Keep words."""
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of each element of that name."""
        return [attrs for name, attrs in self.found if name == tag]


def words_of(page: str) -> str:
    """Return a page's words."""
    return "".join(Elements(page).words)

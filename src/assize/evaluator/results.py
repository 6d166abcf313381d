"""What `assize evaluator card` comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from assize.results import Result, ResultTable


@dataclass(frozen=True, slots=True)
class ModelCard(Result):
    """An evaluator's card: what it is for, what it was trained on, how well it does.

    Args:
        name: the evaluator's.
        text: Markdown.
        signature: the evaluator's.
    """

    name: str
    text: str
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """None: the card is text."""
        return {}

    @property
    def lines(self) -> Sequence[str]:
        """The card."""
        return self.text.split("\n")

    def to_json(self) -> dict[str, Any]:
        """The card's text."""
        return {"evaluator": self.name, "card": self.text, "signature": self.signature}

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"

"""What `assize evaluator card` comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from assize.results import Result


@dataclass(frozen=True, slots=True)
class ModelCard(Result):
    """An evaluator's card: what it is for, what it was trained on, how well it does.

    Args:
        name: the evaluator's.
        text: Markdown.
        signature: the evaluator's.
    """

    markdown = True

    name: str
    text: str
    signature: str

    @property
    def lines(self) -> Sequence[str]:
        """The card."""
        return self.text.split("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"

"""What the commands on evaluators come to: figures against judgments, and a model card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from assize.tables import Result, ResultTable, columns

if TYPE_CHECKING:
    from assize.evaluator.learning import Agreement


@dataclass(frozen=True, slots=True)
class EvaluatorFigures(Result):
    """How an evaluator agrees with judgments.

    Args:
        judge: the evaluator's name in judgments.
        figures: a question and level each.
        signature: the evaluator's.
    """

    judge: str
    figures: Sequence[Agreement]
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """One, `figures`."""
        rows = [
            (one.question, one.head, one.level, one.figure.n, one.figure.unscored, one.figure)
            for one in self.figures
        ]
        named = columns("words", "question", "head", "level")
        named += columns("count", "n", "unscored") + columns("number", "[95%]", digits=2)
        return {"figures": ResultTable(self.judge, named, rows)}

    @property
    def notes(self) -> Sequence[str]:
        """What the figures are."""
        return ["ratings: Spearman's correlation with their mean; pairs: share decided likewise"]

    def to_json(self) -> dict[str, Any]:
        """Each figure with its question, head and level."""
        figures = [
            {"question": one.question, "head": one.head, "level": one.level} | one.figure.to_json()
            for one in self.figures
        ]
        return {"judge": self.judge, "figures": figures, "signature": self.signature}


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

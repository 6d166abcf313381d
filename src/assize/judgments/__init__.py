"""Tables of judgments, and what a judgment is worth as a number, a vote, a probability."""

from assize.judgments.table import JudgmentTable, Unit

__all__ = ["JudgmentTable", "Unit"]

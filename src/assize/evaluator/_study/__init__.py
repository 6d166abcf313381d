"""What an evaluator learns from one judge, from several, and from other juries."""

from assize.evaluator._study.study import Gold, Juries

__all__ = ["Gold", "Juries"]

"""Conversations and the small evaluator of the evaluator's tests."""

from tests.evaluator.conftest import letters, shipped, small, talk

__all__ = ["letters", "shipped", "small", "talk"]

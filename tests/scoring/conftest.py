"""Conversations and the small evaluator of the evaluator's tests."""

from tests.evaluator.conftest import letters, small, talk

__all__ = ["letters", "small", "talk"]

"""Lines of a small chat log, and how long hypothesis looks."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

TURN = '{"role": "user", "text": "hi"}'


def line(id: str, turn: str = TURN) -> str:
    """A conversation as assize writes it."""
    return f'{{"id": "{id}", "turns": [{turn}]}}'


FUZZ = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

"""One PostgreSQL for all tests of the web app."""

from __future__ import annotations

from postgres import postgres_server

__all__ = ["postgres_server"]

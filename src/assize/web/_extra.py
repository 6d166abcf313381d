"""What the web app needs beside the base install."""

from assize.base.errors import MissingExtra


def require() -> None:
    """Raises MissingExtra where what the web app is made of is not installed."""
    try:
        import alembic  # noqa: F401
        import argon2  # noqa: F401
        import fastapi  # noqa: F401
        import sqlalchemy  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtra("the web app", extra="web", missing=str(error.name)) from error

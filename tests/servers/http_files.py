"""`assize` with files over HTTP, for which fsspec needs aiohttp; errors tell all they know."""

from __future__ import annotations

import io
import urllib.error
import urllib.request
from typing import Any

import fsspec


class HTTPFiles(fsspec.AbstractFileSystem):  # type: ignore[misc]
    """Files at URLs, read at once."""

    protocol = ("http",)

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path

    def _open(self, path: str, *_: Any, **__: Any) -> io.BytesIO:
        before, at, after = path.partition("@")
        bare = f"http://{after}" if at else before
        try:
            with urllib.request.urlopen(bare) as answer:
                return io.BytesIO(answer.read())
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error}: {error.read().decode()}") from error


if __name__ == "__main__":
    fsspec.register_implementation("http", HTTPFiles, clobber=True)
    from assize.cli import main

    main()

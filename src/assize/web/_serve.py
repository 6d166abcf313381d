"""`assize web`: opens a project and serves it until it is stopped."""

from __future__ import annotations

import gc
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from assize.base.errors import ConfigError
from assize.results import Column, Result
from assize.results.log import log
from assize.results.numbers import counted
from assize.web._extra import require

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

HOST, PORT = "127.0.0.1", 8700
LARGEST_HEAD = 65_536  # bytes of an address with its headers, or of trailers
KEPT = 75  # seconds that a browser's connection stays open between two items


@dataclass(frozen=True)
class Served(Result):
    """What happened while the app ran.

    Args:
        seconds: how long.
        answers: forms that were submitted, skips among them.
    """

    url: str
    database: str
    seconds: float
    answers: Annotated[int, Column(extra=True)]

    @property
    def notes(self) -> Sequence[str]:
        """How it ended."""
        return [f"stopped; {counted(self.answers, 'answer')} came in, all are kept"]


def serve(
    project: str | Path = ".",
    *,
    host: str = HOST,
    port: int = PORT,
    url: str | None = None,
    database: str | None = None,
    open: bool = False,
    allow: str | Sequence[str] = (),
) -> Served:
    """Serve a project's pages until stopped: people rate and chat, leads watch.

    A project is a folder with task files (`tasks/NAME.yaml`) and the data that they name. The first
    start prints a link by which the first administrator signs up. No other machine is asked, except
    what `allow` names.

    Args:
        project: folder of the project.
        host: address to listen on, 0.0.0.0 to be reached from other machines.
        port: port to listen on, 0 for any free one.
        url: address at which people reach the app, for example https://rate.example.org behind a
            proxy with TLS. Default: its own address.
        database: URL of the database, sqlite:///FILE or postgresql://... Default: the SQLite file
            that project.yaml names, or assize.db in the folder.
        open: ask for no sign-in: every visitor is the one local user, an administrator; for this
            machine only.
        allow: model that a task may ask, as MODEL, or MODEL@ADDRESS if the task names its base_url,
            or address that a dashboard may read (repeatable).

    Raises:
        ConfigError: there is no such folder or database, the port is taken, or `open` is to be
            reached from other machines; a task names a model that `allow` does not.
        DataError: a task file is wrong.
        MissingExtra: the extra `web` is not installed.
    """
    if open and host not in (HOST, "localhost", "::1"):
        raise ConfigError(f"open: without sign-in it listens on {HOST} only, not on {host}")
    site = None if url is None else site_address(url)
    require()
    from assize.web._opening import answered_since, opened

    began = time.time()
    allowed = [allow] if isinstance(allow, str) else list(allow)
    with _bound(host, port) as listening:
        own = site or f"http://{host}:{listening.getsockname()[1]}"
        with opened(project, database=database, url=own, open=open, allow=allowed) as app:
            for line in app.greeting:
                log.warning(line)
            gc.freeze()  # what was loaded stays: a full collection need not go through it
            with suppress(KeyboardInterrupt):  # how it is stopped; uvicorn has ended in order
                server_of(app.asgi).run([listening])
            answers = app.store.write_now(answered_since, began)
    return Served(own, app.database, time.time() - began, answers)


def site_address(url: str) -> str:
    """Return the address of a site, without a slash at its end.

    >>> site_address("https://rate.example.org/")
    'https://rate.example.org'
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(
            f"url: received {url!r}; give an address such as https://rate.example.org"
        )
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ConfigError(f"url: received {url!r}; the app is not served under a path")
    return f"{parts.scheme}://{parts.netloc}"


def server_of(asgi: FastAPI) -> uvicorn.Server:
    """The server of an app, which is not started yet."""
    import uvicorn

    settings = uvicorn.Config(
        asgi,
        http="h11",
        h11_max_incomplete_event_size=LARGEST_HEAD,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=True,  # from addresses in FORWARDED_ALLOW_IPS, by default 127.0.0.1
        timeout_graceful_shutdown=5,
        timeout_keep_alive=KEPT,
    )
    return uvicorn.Server(settings)


def _bound(host: str, port: int) -> socket.socket:
    """A socket on that address, which says who has it where it is taken."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {host}:{port} ({error.strerror or error}); choose another port"
        ) from error

"""What every request can reach: the project, its store, the clock."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from fastapi import Request

from assize.web._accounts.throttle import Throttle
from assize.web._cache import Cache
from assize.web._project import Project
from assize.web._storage import Store


@dataclass(frozen=True, slots=True)
class Web:
    """A running web app.

    Args:
        url: where people reach it, for links; with `https:` cookies are sent over TLS alone.
        open: whether whoever looks is the one local user.
        clock: seconds since 1970.
        csrf: of the open app, which has no sessions.
        allow: models and addresses that the project's files may reach.
        cache: figures that take a while.
        throttle: sign-ins that failed lately.
    """

    project: Project
    store: Store
    url: str = ""
    open: bool = False
    clock: Callable[[], float] = time.time
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    allow: frozenset[str] = frozenset()
    cache: Cache = field(default_factory=Cache)
    throttle: Throttle = field(default_factory=Throttle)

    @property
    def secure(self) -> bool:
        """Whether people reach it over TLS alone."""
        return self.url.startswith("https:")


def web_of(request: Request) -> Web:
    """The app that serves a request."""
    found: Web = request.app.state.web
    return found

"""Nothing leaves the machine but what is asked of the endpoint: libraries report to nobody.

Some libraries report their use to their makers: onnxruntime 1.31 writes a device id and events
under the user's cache folder and sends them. Each reads its switch when it is imported or makes
its first client, so `no_telemetry` is called before that. The clients of model endpoints describe
the machine in their headers: `BoundedClient` sends what `plain_headers` leaves.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from typing import Any, Protocol

from assize.base.errors import ConfigError
from assize.base.version import __version__

SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
"""Environment variables that switch reporting off."""


def no_telemetry() -> None:
    """Switches reporting off; what the user has set otherwise stays."""
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)


AGENT = f"assize/{__version__}"
"""What endpoints are told of who asks."""


class Sent(Protocol):
    """A request of an HTTP client, before it goes out."""

    @property
    def headers(self) -> MutableMapping[str, str]:
        """What stands before its body."""
        ...


def plain_headers(request: Sent) -> None:
    """Takes out what describes the machine: system, processor, Python, versions, waiting times."""
    for name in [one for one in request.headers if one.lower().startswith("x-stainless")]:
        del request.headers[name]
    request.headers["user-agent"] = AGENT


def no_fetched_kernels(config: Any, source: str) -> None:
    """Raises ConfigError where a model's settings name native code that would be fetched."""
    named = str(getattr(config, "_attn_implementation", None) or "")
    if "/" in named:
        raise ConfigError(
            f"{source}: its config.json asks for code from the hub as attn_implementation"
            f" ({named!r:.80}), and no code that a checkpoint names is run; take that line out"
        )

"""Nothing leaves the machine but what is asked of the endpoint: libraries report to nobody.

Some libraries report their use to their makers: onnxruntime 1.31 writes a device id and events
under the user's cache folder and sends them. Each reads its switch when it is imported or makes
its first client, so `no_telemetry` is called before that. The clients of model endpoints describe
the machine in their headers: `BoundedClient` sends what `plain_headers` leaves.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assize.base.errors import ConfigError
from assize.base.version import __version__

if TYPE_CHECKING:
    import httpx2

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


def plain_headers(headers: httpx2.Headers) -> httpx2.Headers:
    """Return headers without what describes the machine.

    Left out are system, processor, Python, versions and waiting times.
    """
    sent = [pair for pair in headers.raw if not pair[0].lower().startswith(_TELLING)]
    return type(headers)([*sent, (b"User-Agent", AGENT.encode())])


_TELLING = (b"x-stainless", b"user-agent")


def no_fetched_kernels(config: Any, source: str) -> None:
    """Raises ConfigError where a model's settings name native code that would be fetched."""
    named = str(getattr(config, "_attn_implementation", None) or "")
    if "/" in named:
        raise ConfigError(
            f"{source}: its config.json asks for code from the hub as attn_implementation"
            f" ({named!r:.80}), and no code that a checkpoint names is run; take that line out"
        )

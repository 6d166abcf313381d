"""Nothing leaves the machine but what is asked of the endpoint: libraries report to nobody.

Some libraries report their use to their makers: onnxruntime 1.31 writes a device id and events
under the user's cache folder and sends them. Each reads its switch when it is imported or makes
its first client, so `no_telemetry` is called before that.
"""

from __future__ import annotations

import os

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

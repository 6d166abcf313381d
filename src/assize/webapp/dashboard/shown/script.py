"""The script that draws charts, from the package that holds it; nothing is asked of the network."""

from __future__ import annotations

import os
import secrets
from importlib.metadata import version
from pathlib import Path

from assize.pages.drawing import require

_GLOBAL = "window.vegaEmbed = vegaEmbed;"


def vega_script(project: str | Path) -> bytes:
    """Vega, Vega-Lite and Vega-Embed as one script; making it takes a second, once a project.

    Raises:
        MissingExtra: vl-convert-python is not installed.
    """
    require()
    kept = Path(project) / ".assize" / f"vega-{version('vl-convert-python')}.js"
    if not kept.exists():
        import vl_convert

        kept.parent.mkdir(exist_ok=True)
        draft = kept.with_name(f".{kept.name}-{secrets.token_hex(4)}")
        draft.write_bytes(vl_convert.javascript_bundle(_GLOBAL).encode())
        os.replace(draft, kept)
    return kept.read_bytes()

"""`assize.report`: the page of any result, or of judgments."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from assize.errors import ConfigError
from assize.formats.files import Location
from assize.tables import Result

PAGES = {
    "AgreementResult": "assize.pages.agreement:write_agreement",
    "Compared": "assize.pages.calibration_sets:write_sets",
    "Study": "assize.pages.calibration_study:write_study",
}
"""By the name of a result's class what writes its page: `module:function`."""


def report(result: Result, path: Location, *, reproduce: Sequence[str] = ()) -> None:
    """Writes the page of a result: one self-contained HTML file.

    Args:
        reproduce: command lines that lead to it.

    Raises:
        ConfigError: such a result has no page.
    """
    name = type(result).__name__
    if name not in PAGES:
        raise ConfigError(f"a {name} has no page; these have: {', '.join(PAGES)}")
    module, _, function = PAGES[name].partition(":")
    write: Any = getattr(import_module(module), function)
    write(path, result, reproduce=reproduce)

"""Every promised name: of the top, of the namespaces, of the packages for builders."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Any

import assize


def promised() -> dict[str, Any]:
    """Return what each promised name stands for, by its full name; the top comes last.

    >>> {"assize.read", "assize.calibrate.fit", "assize.scoring.iter_score"} <= promised().keys()
    True
    """
    packages = [f"assize.{found.name}" for found in pkgutil.iter_modules(assize.__path__)]
    names: dict[str, Any] = {}
    for package in (*packages, "assize"):
        module = import_module(package)
        for name in getattr(module, "__all__", ()):
            names[f"{package}.{name}"] = getattr(module, name)
    return names

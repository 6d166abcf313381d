"""A package's promised names, listed once in its stub."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.lazy import promised_names


@pytest.fixture
def package(tmp_path: Path) -> str:
    """A stub that promises two names, beside which its `__init__` would stand."""
    (tmp_path / "__init__.pyi").write_text(
        "from collections import Counter as Counter\nfrom math import sqrt as sqrt\n"
    )
    return str(tmp_path / "__init__.py")


def test_each_name_of_the_stub_is_imported_when_it_is_asked_for(package: str) -> None:
    get, names, promised = promised_names("numbers", package)
    assert promised == ["Counter", "sqrt"]
    assert names() == ["Counter", "sqrt"]
    assert get("sqrt")(9.0) == 3.0


def test_another_name_is_an_attribute_error_that_names_the_package(package: str) -> None:
    get, _, _ = promised_names("numbers", package)
    with pytest.raises(AttributeError, match="'numbers' has no attribute 'log'"):
        get("log")


def test_a_package_inside_is_imported_when_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "__init__.pyi").write_text("from xml import dom as dom\n")
    get, names, promised = promised_names("xml", str(tmp_path / "__init__.py"))
    assert (names(), promised) == (["dom"], [])
    assert get("dom").__name__ == "xml.dom"

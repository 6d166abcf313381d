"""The table of licences: what metadata says, in the words of SPDX, for every locked package."""

from __future__ import annotations

import pytest
from scripts.dependencies.licences import HEAD, PAGE, UNKNOWN, licence_of, read_page, rows
from scripts.dependencies.locked import CUDA, DEV, read_lock

CLASSIFIER = "License :: OSI Approved :: "


@pytest.mark.parametrize(
    ("said", "licence"),
    [
        ({"license_expression": "MIT AND PSF-2.0", "license": "else"}, "MIT AND PSF-2.0"),
        ({"license": "Apache Software License"}, "Apache-2.0"),
        ({"license": "3-Clause BSD License"}, "BSD-3-Clause"),
        ({"license": "BSD 3-Clause License\n\nCopyright (c)"}, "BSD-3-Clause"),
        ({"classifier": ["Topic :: Text", CLASSIFIER + "ISC License (ISCL)"]}, "ISC"),
        ({"license": "Copyright", "classifier": [CLASSIFIER + "BSD License"]}, "BSD"),
        ({"license": "Copyright (C) All Rights Reserved"}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_a_licence_is_named_as_spdx_does(said: dict[str, object], licence: str) -> None:
    assert licence_of(said) == licence


def test_every_locked_package_has_its_row_and_the_page_is_as_it_would_be_written() -> None:
    entries = [*read_lock(DEV.read_text()), *read_lock(CUDA.read_text())]
    assert {row.package for row in read_page()} == {one.name for one in entries}
    assert read_page() == rows(), "run: make lock"
    assert PAGE.read_text().startswith(HEAD)

"""The version."""

from importlib.metadata import version

import assize
from assize.base.version import __version__


def test_it_is_what_was_installed() -> None:
    assert __version__ == assize.__version__ == version("assize-eval")

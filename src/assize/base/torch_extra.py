"""torch, where it is installed: the extra `train`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from assize.base.errors import MissingExtra


@contextmanager
def one_thread() -> Iterator[None]:
    """torch on one thread: the matrices are too small to share, and trying to costs twenty times
    the work.

    Raises:
        MissingExtra: torch is not installed.
    """
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("training a network", extra="train", missing="torch") from error
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)

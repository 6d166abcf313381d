from __future__ import annotations

from assize.web._storage.migrating import revisions
from assize.web._storage.migrations import r0001


def test_it_is_the_first_revision() -> None:
    assert (r0001.revision, r0001.down_revision) == ("0001", None)
    assert revisions()[1].get_base() == "0001"

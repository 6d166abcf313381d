from __future__ import annotations

from assize.web._accounts.viewer import Viewer


def test_only_an_admin_sees_the_pages_of_leads() -> None:
    assert Viewer(1, "lea", "admin", "csrf").is_admin
    assert not Viewer(2, "ann", "rater", "csrf").is_admin

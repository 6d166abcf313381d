from __future__ import annotations

import dataclasses

import pytest

from assize.web._accounts.viewer import Viewer


def test_only_an_admin_sees_the_pages_of_leads() -> None:
    assert Viewer(1, "lea", "admin", "csrf").is_admin
    assert not Viewer(2, "ann", "rater", "csrf").is_admin


def test_a_role_cannot_be_changed_on_the_way() -> None:
    one = Viewer(2, "ann", "rater", "csrf", renew=True)
    assert one.renew
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.role = "admin"  # type: ignore[misc]

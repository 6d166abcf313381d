"""Hashes of what was learnt from."""

from __future__ import annotations

from assize.judgments.learnt_from import hash_unit, hash_units


def test_an_item_and_each_of_its_turns_have_hashes_of_their_own() -> None:
    units = [("a", None), ("a", 1), ("a", 11), ("a1", 1)]
    assert len(hash_units(units)) == 4
    assert hash_unit(("a", None)) in hash_units(units)
    assert all("a1" not in name or len(name) == 16 for name in hash_units(units))

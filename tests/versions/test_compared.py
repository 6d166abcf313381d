"""The record of a comparison, as JSON."""

from __future__ import annotations

import json

from tests.versions.two_versions import two_versions

from assize.versions.comparing import Comparing, compare_all


def test_json_holds_the_pairing_and_every_row() -> None:
    old, new = two_versions()
    found = compare_all([old, new], how=Comparing(permutations=499, detect=0.2))
    said = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert said["baseline"] == "old"
    assert said["pairing"]["new"]["by"] == "id"
    assert said["pairing"]["new"]["left_over"] == [0, 0]
    (row,) = said["rows"]
    assert row["verdict"] == "better"
    assert row["paired"] is True
    shares = [row[name]["percent"] for name in ("better", "equal", "worse")]
    assert abs(sum(shares) - 100) < 1e-9
    assert row["more"] == max(0, row["needed"] - 90)
    assert said["regressions"][0]["change"] < 0
    assert found.worse == []

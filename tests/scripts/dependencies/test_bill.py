"""The bill of materials of a release."""

from __future__ import annotations

import json
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from scripts.dependencies.bill import main

from assize.base.version import __version__


def test_the_bill_is_valid_and_holds_what_users_install(tmp_path: Path) -> None:
    text = main(tmp_path).read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    said = json.loads(text)
    parts = {one["name"]: one for one in said["components"]}
    whole = said["metadata"]["component"]
    assert (whole["name"], whole["version"]) == ("assize-eval", __version__)
    assert {"numpy", "onnxruntime", "torch", "triton"} <= parts.keys()
    assert not {"hypothesis", "krippendorff"} & parts.keys()
    assert parts["rich"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert all(len(one["externalReferences"][0]["hashes"]) > 0 for one in parts.values())
    needs = {one["ref"]: one.get("dependsOn", []) for one in said["dependencies"]}
    assert parts["numpy"]["purl"] in needs["assize-eval"]
    assert parts["markupsafe"]["purl"] in needs[parts["jinja2"]["purl"]]

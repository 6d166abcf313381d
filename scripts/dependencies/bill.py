"""Writes the bill of materials of a release: what assize may bring, by version, hash and licence.

python -m scripts.dependencies.bill    write dist/assize_eval-VERSION.cdx.json (CycloneDX 1.6)

It holds what users install, with every extra; what only `dev` needs is left out.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

from cyclonedx.contrib.hash.factories import HashTypeFactory
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, Property, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from scripts.dependencies.licences import UNKNOWN, read_page
from scripts.dependencies.locked import CUDA, DEV, NAME, ROOT, Locked, needed_by, read_lock

from assize.base.version import __version__


def bill() -> Bom:
    """The bill of this version."""
    entries = [*read_lock(DEV.read_text()), *read_lock(CUDA.read_text())]
    extras = needed_by(entries)
    entries = [one for one in entries if extras[one.name] - {"dev"}]
    licences = {row.package: row.licence for row in read_page()}
    root = Component(
        name=NAME,
        version=__version__,
        type=ComponentType.APPLICATION,
        licenses=[LicenseFactory().make_from_string("Apache-2.0")],
        bom_ref=NAME,
    )
    parts = {one.name: component(one, licences[one.name], extras[one.name]) for one in entries}
    found = Bom(components=parts.values(), serial_number=uuid.uuid5(uuid.NAMESPACE_URL, str(root)))
    found.metadata.component = root
    for parent, part in ((NAME, root), *parts.items()):
        needs = [parts[one.name] for one in entries if parent in _parents(one.via)]
        found.register_dependency(part, needs)
    return found


def component(entry: Locked, licence: str, extras: set[str]) -> Component:
    """One package; its hashes are those of the files that may be installed."""
    address = PackageURL("pypi", None, entry.name, entry.version)
    hashes = [HashTypeFactory().from_composite_str(one) for one in entry.hashes]
    files = ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION, url=XsUri(str(address)), hashes=hashes
    )
    said = [] if licence == UNKNOWN else [LicenseFactory().make_from_string(licence)]
    return Component(
        name=entry.name,
        version=entry.version,
        purl=address,
        licenses=said,
        external_references=[files],
        properties=[Property(name="assize:extra", value=one) for one in sorted(extras - {"dev"})],
        bom_ref=str(address),
    )


def _parents(via: Sequence[str]) -> set[str]:
    return {one.partition("[")[0] for one in via}


def main(folder: Path = ROOT / "dist") -> Path:
    """Writes the bill; returns where."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{NAME.replace('-', '_')}-{__version__}.cdx.json"
    path.write_text(JsonV1Dot6(bill()).output_as_string(indent=1) + "\n")
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{main()}\n")

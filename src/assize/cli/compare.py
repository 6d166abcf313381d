"""`assize compare`: is the new version better than the old one?"""

from assize.cli.command import from_function
from assize.workflows.compare import compare_versions

command = from_function(
    compare_versions,
    "assize compare old.jsonl new.jsonl --by metadata.lang --detect 0.1 --report compare.html",
    arguments=["versions"],
    named={"items": "--items -i"},
    metavars={
        "versions": "OLD NEW...",
        "by": "FIELD",
        "clusters": "FIELD",
        "over": "FIELD",
        "every": "day|week|month|N",
        "detect": "SIZE",
    },
    report=True,
    unscored=True,
)

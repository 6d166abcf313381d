"""`assize compare`: is the new version better than the old one?"""

from __future__ import annotations

from assize import compare
from assize.cli.command import from_function

command = from_function(
    compare,
    "assize compare old.jsonl new.jsonl --by metadata.lang --detect 0.1 --report compare.html",
    arguments=["versions"],
    named={
        "items": "--items -i",
        "criteria": "--criteria -c",
        "against": "--baseline",
        "field": "--over",
    },
    metavars={
        "versions": "OLD NEW...",
        "by": "FIELD",
        "cluster": "FIELD",
        "against": "VERSION",
        "field": "FIELD",
        "every": "day|week|month|N",
        "criteria": "FILE",
        "detect": "SIZE",
    },
    report=True,
    unscored=True,
    drops=True,
)

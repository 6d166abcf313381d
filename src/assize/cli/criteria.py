"""`assize criteria`: select the few criteria of a pool that tell good from bad."""

from __future__ import annotations

from assize.cli.command import from_function
from assize.criteria.selection.policies import POLICIES
from assize.workflows.criteria.select import select_criteria


def _policies(text: str) -> list[str]:
    return [name for name in POLICIES if name.startswith(text)]


select = from_function(
    select_criteria,
    "assize criteria select pool.yaml -j run/ --label thumbs:up=1,down=0 -i chats.jsonl",
    arguments=["criteria"],
    named={"judgments": "--judgments -j", "out": "--out -o", "items": "--items -i"},
    metavars={"criteria": "POOL", "label": "SPEC|FILE"},
    complete={"policy": _policies},
)

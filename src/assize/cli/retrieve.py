"""`assize retrieve`: find passages of pages."""

from __future__ import annotations

from assize.cli.command import from_function
from assize.simulate import retrieve as find

retrieve = from_function(
    find,
    'assize retrieve pages/ --query "rotate storage keys" --index pages.index',
    arguments=["documents"],
    named={"query": "--query"},
    metavars={"documents": "PAGES", "query": "TEXT", "topics": "FILE", "index": "FOLDER"},
)

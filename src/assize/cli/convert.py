"""`assize convert`: from files in any known format to files in any other."""

from assize._doors.convert import convert
from assize.cli.command import from_function
from assize.cli.terminal import print_notes

command = from_function(
    convert,
    "assize convert chats.parquet chats.jsonl",
    arguments=["sources", "out"],
    named={"options": "--set"},
    hidden=["make"],
    metavars={
        "sources": "IN",
        "options": "NAME=VALUE",
    },
    show=print_notes,  # the records themselves may go to stdout
    failed=lambda result: bool(result.rejects) and not result.kinds,
)

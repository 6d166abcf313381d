"""`assize report`: stored judgments as one self-contained HTML page."""

from assize._doors.report import report
from assize.cli.command import from_function
from assize.cli.terminal import print_notes

command = from_function(
    report,
    "assize report run/ --items conversations.jsonl --out report.html",
    arguments=["given"],
    named={"path": "--out -o", "first": "--list"},
    metavars={"given": "JUDGMENTS", "criteria": "FILE"},
    hidden=["reproduce"],
    show=print_notes,
)

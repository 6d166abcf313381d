"""`assize labels-needed`: how many more human labels a mean takes."""

from assize.cli.command import from_function
from assize.workflows.labels_needed import labels_needed

command = from_function(
    labels_needed,
    "assize labels-needed scored.jsonl people.jsonl --question Q0 --width 0.2",
    arguments=["judgments"],
    unscored=True,
)

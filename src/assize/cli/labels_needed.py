"""`assize labels-needed`: how many more human labels a mean takes."""

from assize.agreement.labels_needed import labels_needed
from assize.cli.command import from_function

command = from_function(
    labels_needed,
    "assize labels-needed scored.jsonl people.jsonl --question Q0 --width 0.2",
    arguments=["judgments"],
    unscored=True,
)

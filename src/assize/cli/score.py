"""`assize score`: scores from an evaluator, the shipped one by default."""

from assize.cli.command import from_function
from assize.pages.scores.scoring import summarise_scores

score = from_function(
    summarise_scores,
    "assize score chats.jsonl --out scores.jsonl --report scores.html",
    arguments=["items"],
    named={"out": "--out -o"},
    metavars={
        "items": "FILES",
        "adapt": "LABELS",
        "scale": "RATINGS",
        "save": "DIR",
        "ask": "SHARE",
    },
    hidden=["reproduce"],
    unscored=True,
)

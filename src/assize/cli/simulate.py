"""`assize simulate`: make data where there are none yet."""

from __future__ import annotations

from assize.cli.command import Mode, from_function
from assize.workflows.asking import USUAL
from assize.workflows.simulation import preferences as making
from assize.workflows.simulation.select import select_preferences

preferences = from_function(
    making.simulate_preferences,
    "assize simulate preferences chats.jsonl --model openai:gpt-4o-mini --given"
    " --judge dimensions@openai:gpt-4o -o run/",
    call=making.run_preferences,
    arguments=["items"],
    named={"models": "--model -m", "judges": "--judge -j", "out": "--out -o"},
    metavars={"items": "FILES", "models": "MODEL", "jargon": "FILE", "coherence": "MODEL"},
    required=["out"],
    usual=USUAL,
    modes=[
        Mode(
            "--dry-run", "Only say what it would take and cost at most.",
            making.estimate_preferences,
        )
    ],
    unscored=True,
)  # fmt: skip

select = from_function(
    select_preferences,
    "assize simulate select p2-mtd.json --consistent pair --balance 40/40/20 -o kept/",
    arguments=["items"],
    named={"votes": "--votes -v", "out": "--out -o"},
    metavars={"items": "FILES", "votes": "JUDGMENTS", "turns": "N-N", "out": "FOLDER"},
)

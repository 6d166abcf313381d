"""`assize reference`: how close is the next turn to what a person said there?"""

from __future__ import annotations

from assize import reference
from assize.cli.command import Mode, from_function
from assize.reference._ensemble.models.learners import LEARNERS
from assize.reference._metrics.table import METRICS

score = from_function(
    reference.score,
    "assize reference score continuations.jsonl -j equivalent@openai:gpt-4o -o run/",
    arguments=["items"],
    named={"judges": "--judge -j", "metrics": "--metric", "out": "--out -o"},
    metavars={"items": "FILES", "metrics": "METRIC", "ensemble": "DIR", "encoder": "ENCODER"},
    complete={"metrics": lambda: tuple(METRICS)},
    required=["out"],
    modes=[
        Mode(
            "--explain", "Show each metric of this continuation, and what it adds to an ensemble.",
            reference.explain, "item", "ITEM",
        ),
    ],
    report=True,
    unscored=True,
)  # fmt: skip

fit = from_function(
    reference.fit,
    "assize reference fit -m scores/ -r upheld.csv --question content -o content/",
    named={
        "metrics": "--metrics -m",
        "ratings": "--ratings -r",
        "items": "--items -i",
        "out": "--out -o",
        "ensemble": "--preset",
    },
    metavars={"metrics": "RUN", "ratings": "FILE", "model": "MODEL"},
    complete={"model": lambda: ("auto", *LEARNERS)},
    required=["out"],
)

multiplicity = from_function(
    reference.multiplicity,
    "assize reference multiplicity chats.jsonl -m openai:gpt-4o -o run/",
    arguments=["items"],
    named={"model": "--model -m", "out": "--out -o", "judge": "--judge -j"},
    metavars={"items": "FILES", "questions": "FILE"},
    required=["out"],
    unscored=True,
)

sheet = from_function(
    reference.sheet,
    "assize reference sheet continuations.jsonl -o rating/",
    arguments=["items"],
    named={"out": "--out -o"},
    metavars={"items": "FILES", "out": "FOLDER"},
)

labels = from_function(
    reference.labels,
    "assize reference labels rating/ anna.xlsx ben.xlsx -o ratings.jsonl",
    arguments=["folder", "sheets"],
    named={"out": "--out -o"},
    metavars={"folder": "FOLDER", "sheets": "SHEETS"},
    unscored=True,
)

contrast = from_function(
    reference.contrast,
    "assize reference contrast continuations.jsonl -r ratings.jsonl"
    " --sources gpt-4o gpt-3.5 -o contrast/",
    arguments=["items"],
    named={"ratings": "--ratings -r", "out": "--out -o"},
    metavars={"items": "FILES", "ratings": "JUDGMENTS", "out": "FOLDER", "sources": "NAME NAME"},
)

themes = from_function(
    reference.themes,
    "assize reference themes contrast/ anna.xlsx ben.xlsx --report themes.html",
    arguments=["folder", "sheets"],
    metavars={"folder": "FOLDER", "sheets": "SHEETS"},
    report=True,
    unscored=True,
)

verification = from_function(
    reference.verification,
    "assize reference verification arena.jsonl --judgments votes.jsonl -o verification.jsonl",
    arguments=["items"],
    named={"judgments": "--judgments -j", "out": "--out -o"},
    metavars={"items": "FILES"},
)

split = from_function(
    reference.split,
    "assize reference split continuations.jsonl --shares 80,10,10 -o split/",
    arguments=["items"],
    named={"out": "--out -o"},
    metavars={"items": "FILES", "by": "FIELD", "tuned_on": "FILES"},
)

"""`assize simulate`: make data where there are none yet."""

from __future__ import annotations

from assize import simulate
from assize.cli.command import from_function
from assize.cli.preset import Preset
from assize.simulate._preferences import SHIPPED
from assize.simulate._settings import NOBODY

candidates = from_function(
    simulate.candidates,
    "assize simulate candidates chats.jsonl --model openai:gpt-4o --model hf:llama"
    " --rephrase openai:gpt-4o -o run/",
    arguments=["items"],
    named={"models": "--model -m", "turns": "--turn", "out": "--out -o"},
    metavars={
        "items": "FILES", "models": "MODEL", "rephrase": "MODEL", "terms": "FILE",
        "others": "FILES",
    },
    required=["out"],
    unscored=True,
)  # fmt: skip

dialogues = from_function(
    simulate.dialogues,
    "assize simulate dialogues topics.txt --model openai:gpt-4o-mini --recipe DS4"
    " --documents pages/ -o run/",
    arguments=["topics"],
    named={
        "model": "--model -m", "recipe": "--recipe -r", "documents": "--documents -d",
        "out": "--out -o",
    },
    metavars={
        "topics": "FILES", "model": "MODEL", "user": "MODEL", "recipe": "DS1-DS5",
        "documents": "PAGES", "index": "FOLDER", "personas": "FILE",
    },
    hidden=["temperature"],
    preset=Preset(
        "paper",
        "Recipe: own, or paper (five whole pages, the model's own temperature, no persona).",
        values={
            "top": 5, "words": 0, "overlap": 50, "sample_temperature": None,
            "personas": NOBODY,
        },
    ),
    required=["out"],
    unscored=True,
)  # fmt: skip

scrub = from_function(
    simulate.scrub,
    "assize simulate scrub chats.jsonl -o clean/",
    arguments=["items"],
    named={"out": "--out -o"},
    metavars={"items": "FILES", "out": "FOLDER", "terms": "FILE"},
    required=["out"],
)

unscrub = from_function(
    simulate.unscrub,
    "assize simulate unscrub run/pairs.jsonl clean/scrubbed.json pairs.jsonl",
    arguments=["path", "mapping", "out"],
    metavars={"path": "FILE", "mapping": "MAPPING", "out": "OUT"},
)

preferences = from_function(
    simulate.preferences,
    "assize simulate preferences chats.jsonl --model openai:gpt-4o-mini --given"
    " --judge dimensions@openai:gpt-4o -o run/",
    arguments=["items"],
    named={
        "models": "--model -m", "judges": "--judge -j", "out": "--out -o",
        "consistent": "--consistent/--no-consistent", "model": "--translate",
    },
    metavars={"items": "FILES", "models": "MODEL", "jargon": "FILE", "coherence": "MODEL",
              "model": "MODEL", "terms": "FILE"},
    preset=Preset(
        "paper",
        "Recipe: own, or paper (needs --coherence and at least two judges, takes the shipped"
        " jargon, and keeps every other step at its default). For answers of different"
        " quality, name a weak and a strong model.",
        values={
            "turns": "2-10", "trivial": "drop", "words": 10.0, "consistent": True,
            "label": "majority", "balance": "40/40/20",
        },
        otherwise={"jargon": SHIPPED},
        needs={"coherence": 1, "judges": 2},
    ),
    required=["out"],
    unscored=True,
)  # fmt: skip

select = from_function(
    simulate.select,
    "assize simulate select p2-mtd.json --consistent --balance 40/40/20 -o kept/",
    arguments=["items"],
    named={"votes": "--votes -v", "out": "--out -o"},
    metavars={"items": "FILES", "votes": "JUDGMENTS", "turns": "N-N", "out": "FOLDER"},
)

topics = from_function(
    simulate.topics,
    "assize simulate topics clicks.csv --site reddit.com/r/azure --pages pages/ -o topics/",
    arguments=["items"],
    named={"count": "--count -n", "out": "--out -o"},
    metavars={
        "items": "FILES",
        "pages": "PAGES",
        "allowed": "FILE",
        "terms": "FILE",
        "site": "SITE",
    },
    required=["out"],
)

pairs = from_function(
    simulate.pairs,
    "assize simulate pairs rated.jsonl --question overall --group user -o pairs.jsonl",
    arguments=["items"],
    named={"out": "--out -o", "judgments": "--judgments -j"},
    metavars={"items": "FILES", "question": "QUESTION", "group": "FIELD", "out": "FILE"},
    required=["out"],
)

"""RUBICON's criteria: select, score and study on what people said; docs/criteria.md."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import EXAMPLES, Figures, corpus, judgments, run

POOL = """criteria:
- {id: polite, sat: The assistant is polite.}
- {id: attentive, sat: The assistant is attentive.}
- {id: understood_emotions, sat: The assistant understands how the user feels.}
- {id: responded_to_emotions, sat: The assistant responds to how the user feels.}
- {id: likable, sat: The assistant is likable.}
- {id: sensible, sat: What the assistant says makes sense.}
- {id: insulting_statement, dsat: The assistant insults.}
- {id: inattentive_statement, dsat: The assistant is inattentive.}
- {id: repetitive, dsat: The assistant repeats itself.}
"""


def read(folder: Path) -> Figures:
    """Return chosen criteria, figures of each policy and of a study, and scores row by row."""
    pool, chosen = folder / "pool.yaml", folder / "criteria.yaml"
    ieval = corpus("ieval")[1]
    pool.write_text(POOL, encoding="utf8")
    judged = "-j", ieval, "--label", f"overall_rank>=2@{ieval}", "--sat", 3, "--dsat", 2
    for policy in ("rubicon", "correctness", "ucb", "brute-force"):
        select = run("criteria", "select", pool, *judged, "--policy", policy, "--out", chosen)
        yield from flatten(select, f"select/{policy}")
    paper = run("criteria", "select", pool, *judged, "--preset", "paper", "--out", chosen)
    yield from flatten(paper, "select/paper")
    study = "criteria", "study", ieval, "--method", f"nine={pool}", *judged[2:]
    policies = "--policy", "rubicon", "--policy", "ucb", "--resamples", 100
    yield from flatten(run(*study, *policies), "study")
    out = folder / "scores"
    score = "criteria", "score", EXAMPLES / "conversations.jsonl", "-c", chosen, "-o", out
    yield from flatten(run(*score, "--model", "scripted:any"), "score")
    yield from ((f"score/{key}", figure) for key, figure in judgments(out / "judgments.jsonl"))

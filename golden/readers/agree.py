"""Agreement of raters and judges: docs/agreement.md; labels needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from golden.figures import flatten
from golden.product import DATA, EXAMPLES, Figures, corpus, percents, plain, run

HH = DATA / "amulet-hh-test"


def read(folder: Path) -> Figures:
    """Return agreement on four corpora, audits, comparisons, groups, and labels needed."""
    judgments = EXAMPLES / "answers.jsonl", EXAMPLES / "held-ratings.jsonl"
    yield from flatten(agree(EXAMPLES / "ratings.jsonl"), "examples/ratings")
    yield from flatten(agree(*judgments), "examples/judgments")
    votes = EXAMPLES / "votes.jsonl", "--items", EXAMPLES / "pairs.jsonl"
    yield from flatten(agree(*votes), "examples/votes")
    yield from flatten(agree(EXAMPLES / "votes.jsonl", "--audit"), "examples/audit")
    outputs = HH / "outputs-gpt4o.jsonl.gz", "--items", HH / "instances.jsonl"
    yield from flatten(agree(*outputs, "--gold", "gold"), "hh-test")
    for name in ("pandalm", "reliable-eval", "uss", "conture"):
        result = agree(*corpus(name), "--resamples", 200)
        yield from flatten(result, name)
    needed = "labels-needed", *judgments, "--width", 0.2, "--question", "helpful"
    yield from flatten(labels_needed(*needed), "labels-needed")


STATISTICS = {
    "cramers_v": "Cramer's V",
    "accuracy_with_tie": "accuracy w/ tie",
    "accuracy": "accuracy w/o tie",
    "accuracy_decided": "accuracy, both decided",
    "auc": "AUC",
    "average_precision": "average precision",
}
AUDITS = {
    "answer changes with the order": "position/dependent",
    "preference turns round": "position/reversed",
    "pull to the first shown": "position/direction",
    "longer of a pair wins": "length/longer",
    "correlation with length": "length/correlation",
    "gold's correlation with length": "length/gold",
    "with length, at equal gold": "length/at_equal_gold",
    "advantage of its own": "own/judged",
    "advantage of its own, by gold": "own/gold",
    "excess over gold": "own/excess",
    "agreement over repeats": "repeats/agreement",
    "alpha over repeats": "repeats/alpha",
}
BINS = {
    "perfect": "perfect",
    "majority, not perfect": "majority",
    "plurality, no majority": "plurality",
    "no plurality": "none",
}


def agree(*arguments: object) -> Any:
    """Return agreement by question, as BASE had it."""
    result = run("agree", *arguments)
    questions = {row["question"]: question(result, row) for row in result["questions"]}
    same = {name: result[name] for name in ("exit code", "inferred", "duplicates")}
    return {"questions": questions, **same}


def labels_needed(*arguments: object) -> Any:
    """Return what labels-needed prints, by judge, as BASE had it."""
    result = run(*arguments)
    people, *judges = result.pop("labels")
    rows = {row["by"].removeprefix("with "): row for row in judges}
    return {
        **result,
        "people": {"mean": {"reason": None, **people["mean"]}, **label_counts(people)},
        "judges": {
            name: {
                **label_counts(row),
                "mean": {"reason": None, **row["mean"]},
                "weight": row["weight"],
                "gain": row["worth"],
                "reason": row.get("reason"),
                "warning": row.get("warning"),
            }
            for name, row in rows.items()
        },
    }


def label_counts(row: Any) -> Any:
    """Return how many labels are needed in all, and still."""
    return {"labels": row.get("needed"), "more": row.get("more")}


def question(result: Any, facts: Any) -> Any:
    """Return the figures of one question."""
    pairs, judges, overall, audits = (
        [row for row in result[name] if row["question"] == facts["question"]]
        for name in ("pairs", "judges", "overall", "audits")
    )
    together = {row["statistic"]: row["estimate"] for row in overall}
    return {
        "kind": facts["kind"],
        "n": facts["n"],
        "gold": facts.get("gold"),
        "judges": {
            row["judge"]: {
                "n": row["n"],
                "unscored": row["unscored"],
                "not_applicable": row["not_applicable"],
                "split": row["split_votes"],
            }
            for row in judges
        },
        "overall": {name: value for name, value in together.items() if name not in BINS},
        "bins": {BINS[name]: percents(value) for name, value in together.items() if name in BINS},
        "pairs": [
            {"judges": [row["first"], row["second"]], "n": row["n"], "statistics": statistics(row)}
            for row in pairs
        ],
        "left_out": left_out(result["notes"], facts["question"]),
        "audit": audit(audits),
        "signature_line": signature_line(result["settings"], facts, len(judges)),
    }


def signature_line(settings: Any, facts: Any, judges: int) -> str:
    """Return what the figures of one question depend on, in BASE's words."""
    method, _, confidence = settings["interval"].rpartition(" ")
    parts = {
        "agree": facts["question"],
        "kind": facts["kind"],
        "data": facts["data"],
        "judges": judges,
        "gold": facts.get("gold"),
        "interval": f"{method}:{confidence}",
        "votes": settings["votes"],
        "clusters": settings["clusters"],
        "permutations": settings["permutations"],
        "threshold": 0,
        "seed": settings["seed"],
        "assize": settings["assize"],
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def left_out(notes: list[str], name: str) -> str | None:
    """Return which pairs of a question were not formed."""
    start = f"{name}: left out "
    return next((note.removeprefix(start) for note in notes if note.startswith(start)), None)


def statistics(pair: Any) -> Any:
    """Return the figures of a pair by their old names."""
    figures = {name: plain(value) for name, value in pair.items() if isinstance(value, dict)}
    return {STATISTICS.get(name, name): value for name, value in figures.items()}


def audit(rows: Any) -> Any:
    """Return audits by judge and kind."""
    audits: dict[str, Any] = {}
    for row in rows:
        kinds = audits.setdefault(row["judge"], {"unscored": {}})
        name = row["audit"]
        if name in AUDITS:
            kind, _, part = AUDITS[name].partition("/")
            kinds.setdefault(kind, {})[part] = plain(row["estimate"])
            if "test" in row:
                kinds[kind]["test"] = {"estimate": row["test"]["statistic"], **row["test"]}
                del kinds[kind]["test"]["statistic"]
        else:
            unscored = {**percents(row["estimate"]), "n": row["estimate"]["n"]}
            kinds["unscored"][name.removeprefix("unscored, ")] = unscored
    return audits

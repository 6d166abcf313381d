"""UPHELD's metrics of next turns, row by row and against what people said."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from golden.figures import flatten
from golden.product import Figures, corpus, judgments, outcome, percents, run

METRICS = (
    *("cosine", "bertscore-precision", "bertscore-recall", "bertscore-f1", "rouge1-recall"),
    *("rouge2-recall", "rougel-recall", "rougelsum-recall"),
)
QUESTIONS = (
    *("grade-coherence", "gupta-appropriateness", "usr-overall"),
    "mistake_identification+mistake_location+providing_guidance+actionability",
)
LENIENT = "--max-unscored", 20


def read(folder: Path) -> Figures:
    """Return eight metrics of the turns of four corpora, and the study in the paper's shape."""
    corpora = [corpus(name) for name in ("reference-turns", "mrbench")]
    files = [items for items, _ in corpora]
    run_folder = folder / "run"
    named = [part for name in METRICS for part in ("--metric", name)]
    scored = run("reference", "score", *files, "--out", run_folder, *named, *LENIENT)
    yield from flatten(scores_in(scored), "score")
    yield from ((f"score/{key}", row) for key, row in judgments(run_folder / "judgments.jsonl", 10))
    asked = [part for question in QUESTIONS for part in ("--question", f"overall={question}")]
    items = [part for path in files for part in ("--items", path)]
    people = [path for _, path in corpora]
    study = "study", "reference", run_folder, *people, *items, *asked, "--by", "^([a-z]+)-"
    yield from flatten(study_in(run(*study, *LENIENT)), "study")


def scores_in(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a run by judge and metric, as BASE has them."""
    judges: dict[str, dict[str, Any]] = {}
    by_metric: dict[str, dict[str, Any]] = {}
    for rows, suffix in ((result["metrics"], ""), (result["references"], "-mean")):
        for row in rows:
            name = row["metric"] + suffix
            figure = {**row["mean"], "not_applicable": row.get("not_applicable", 0)}
            figure |= {"sources": {}, "turns": {}}
            judges.setdefault(row["judge"], {})[name] = by_metric[name] = figure
    for row in result["sources"]:
        by_metric[row["metric"]]["sources"][row["source"]] = row["mean"]
    for row in result["turns"]:
        by_metric[row["metric"]]["turns"][row["turn"]] = row["mean"]
    for row in result["drift"]:
        by_metric[row["metric"]]["slope"] = row["change"]
    counted = {name: result[name] for name in ("continuations", "conversations", "exit code")}
    return {**outcome(result["outcome"]), "scores": judges, **counted}


def study_in(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a study by data set and target, as BASE has them."""
    rows = {(row["target"], row["data"]): target_in(row) for row in result["rated"]}

    def at(row: Mapping[str, Any]) -> dict[str, Any]:
        return rows[row["target"], row["data"]]

    for row in result["figures"]:
        figures = {name: row[name] for name in ("statistic", "standard_error", "folds")}
        figures |= {"own": row["figure"], "pearson": row["pearson"], "spearman": row["spearman"]}
        found = at(row)["ensembles" if "trained_on" in row else "metrics"]
        key = row["metric"], row.get("trained_on")
        found.setdefault(key, {"gain": None} if "trained_on" in row else {})[row["unit"]] = figures
        if "trained_on" in row:
            found[key] |= {"learner": row["metric"], "trained_on": row["trained_on"]}
            found[key] |= {"cross_validated": row["cross_validated"]}
        else:
            found[key] |= {"metric": row["metric"], "group": row["group"]}
    for row in result["gains"]:
        trained_on = row.get("trained_on", row["data"])
        at(row)["ensembles"][row["ensemble"], trained_on]["gain"] = {
            "learner": row["ensemble"],
            "trained_on": trained_on,
            "best_metric": row["best_metric"],
            "ensemble": row["r"],
            "difference": row["gain"],
            "relative_gain": row["relative_gain"],
            "p_value": row["p"],
        }
    for row in result["kept"]:
        at(row)["agreement_levels"]["kept"] = {
            level: percents(row[level]) for level in ("plurality", "majority", "perfect")
        }
    for row in result["levels"]:
        levels = ("plurality", "majority", "perfect")
        at(row)["agreement_levels"]["metrics"].append(
            {
                "metric": row["metric"],
                "statistic": row["statistic"],
                "figures": {level: row[level] for level in ("all", *levels)},
                "all_means": row["means"],
                "change_percent": {level: row[f"{level}_change"] for level in levels},
            }
        )
    for row in result["accuracy"]:
        at(row)["agreement_bins"][row["level"]] = {
            "n": row["items"],
            "people": row["people"],
            "one_against_the_others": row.get("others"),
            "counts": {},
            "judges": {name: {"accuracy": figure} for name, figure in row["judges"].items()},
        }
    for row in result["balanced"]:
        for name, figure in row["judges"].items():
            at(row)["agreement_bins"][row["level"]]["judges"][name]["balanced"] = figure
    for row in result["sources"]:
        names = ("items", "fleiss_kappa", "alpha", "aggregate")
        at(row)["sources"][row["source"]] = {name: row[name] for name in names}
    for row in result["answers"]:
        at(row)["sources"][row["source"]]["answers"] = row["answers"]
    for row in result["regression"]:
        at(row)["regression"]["metrics"].append(
            {
                "metric": row["metric"],
                "alone": coefficient(row, "alone"),
                "p_value_of_independent_rows": row["independent_p"],
                "together": coefficient(row, "together"),
            }
        )
    for row in result["explained"]:
        counts = {name: row[name] for name in ("n", "unscored", "conversations")}
        at(row)["regression"] |= {"r2": row["explained"], **counts}
    for row in result["trees"]:
        at(row)["tree"] = {"learner": row["learner"], "root": node(row["root"])}
    for note in result["notes"]:
        name, _, reason = note.partition(": no figure by agreement between people: ")
        data, _, target = name.rpartition(", ")
        if reason:
            rows[target, data]["agreement_levels"]["reason"] = reason
    for row in rows.values():
        row["metrics"] = list(row["metrics"].values())
        row["ensembles"] = list(row["ensembles"].values())
    facts = ("targets", "data", "trained_on", "learnt_from", "folds", "learners", "exit code")
    return {"rows": list(rows.values()), **{name: result[name] for name in facts}}


def target_in(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a data set with one target, without its figures."""
    counts = {name: row[name] for name in ("items", "ratings", "raters", "conversations")}
    return {
        **{name: row[name] for name in ("data", "simulated", "target")},
        **counts,
        "unscored_ratings": row["unscored"],
        "metrics": {},
        "ensembles": {},
        "agreement_levels": {"metrics": []},
        "agreement_bins": {},
        "sources": {},
        "regression": {"metrics": []},
    }


def coefficient(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a coefficient, of which BASE says no n."""
    figure = {key: value for key, value in row[name].items() if key not in ("n", "unscored")}
    return {**figure, "standard_error": row[f"{name}_error"], "p_value": row[f"{name}_p"]}


def node(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return a place of a tree, with those below it."""
    found = {"value": tree["value"], "n": tree["n"]}
    if "low" in tree:
        found |= {"metric": tree["metric"], "threshold": tree["threshold"]}
        found |= {"at_most": node(tree["low"]), "above": node(tree["high"])}
    elif tree["further"]:
        found["further_questions"] = tree["further"]
    return found

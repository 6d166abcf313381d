"""Dialogue acts and maxims of HH-TEST: docs/acts-amulet.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from golden.figures import flatten
from golden.product import DATA, Figures, percents, run

HH = DATA / "amulet-hh-test"
OUTPUTS, ITEMS = HH / "outputs-gpt4o.jsonl.gz", HH / "instances.jsonl"
LABELS = {
    "dimension as in the taxonomy": "dimensions",
    "function and dimension as in the taxonomy": "valid",
    "function known, dimension not its own": "foreign",
    "function unknown (hallucinated)": "hallucinated",
    "turns with a hallucinated function": "turns",
}
VOTES = {
    "turns of the context": "context",
    "responses, each with itself": "responses",
    "responses, by place as published": "as_published",
    "all turns, by their set": "turns",
    "all turns, as published": "labels",
}
CHANGES = {"from turn to turn": "turns", "at least once": "once"}


def read(folder: Path) -> Figures:
    """Return what acts and maxims show by themselves, by gold, and in the paper's tables."""
    shown = run("acts", OUTPUTS, "--items", ITEMS)
    studies = {
        f"{record['acts_judge']} + {record['maxims_judge']}": study(record)
        for record in shown["studies"]
    }
    yield from flatten({**shown, "studies": studies}, "show")
    published = run("study", "acts", OUTPUTS, "--items", ITEMS)
    studies = {
        name: study(record) | {"examples": list(map(example, published["examples"][name]))}
        for name, record in published["studies"].items()
    }
    found = {name: value for name, value in published.items() if name not in ("paper", "examples")}
    yield from flatten({**found, "studies": studies}, "study")


def study(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a study under the names that BASE has."""
    same = ("acts_judge", "maxims_judge", "items", "gold", "excluded", "duplicates", "elsewhere")
    return {
        **{name: record[name] for name in same},
        "selected": record.get("selected"),
        "turns": dict(zip(("user", "consecutive"), record["turns"], strict=True)),
        "acts": acts(record),
        "maxims": maxims(record),
        "crossed": crossed(record),
    }


def acts(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what acts show."""
    levels = ("function", "dimension")
    changes: dict[str, Any] = {
        row["level"]: {"user": {}, "assistant": {}} for row in record["changes"]
    }
    by_level: dict[str, dict[str, Any]] = {"following": {}, "across": {}}
    for row in record["changes"]:
        share = percents(row["share"])
        if row["change"] in CHANGES:
            changes[row["level"]][row["who"]][CHANGES[row["change"]]] = share
        else:
            by_level["following" if row["who"] == "assistant" else "across"][row["level"]] = share
    distinct: dict[str, dict[str, dict[str, Any]]] = {}
    for row in record["distinct"]:
        for role in ("user", "assistant"):
            if role in row and row[role]["count"]:  # BASE has no zeros
                counts = distinct.setdefault(row["what"], {}).setdefault(role, {})
                counts[str(row["at_least"])] = percents(row[role])
    validity: dict[str, Any] = {
        LABELS[row["labels"]]: percents(row["share"]) for row in record["labels"]
    }
    validity |= {
        "labels": record["labels"][0]["share"]["n"],
        "names": record["hallucinated"],
        "invented": record["invented"],
    }
    variation: dict[str, dict[str, Any]] = {level: {} for level in levels}
    for row in record["second_votes"]:
        if row["level"] in variation:
            variation[row["level"]][VOTES[row["what"]]] = percents(row["share"])
    return {
        "frequency": {level: frequency(record[f"{level}s"]) for level in levels},
        "distinct": distinct,
        "changes": changes,
        **by_level,
        "transitions": {
            role: transitions(record[f"after_{role}"]) for role in ("user", "assistant")
        },
        "validity": validity,
        "variation": variation,
    }


def frequency(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the shares of each name by role."""
    found: dict[str, Any] = {}
    for role in ("user", "assistant", "response"):
        shares = {row["name"]: row[role] for row in rows if role in row}
        names = {name: percents(share) for name, share in shares.items() if share["count"]}
        found[role] = {"turns": next(iter(shares.values()))["n"], "names": names}
    return found


def transitions(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return act -> next act -> turns, with the act's own turns under ""."""
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row["act"], {"": row["turns"]})[row["next_act"]] = row["followed"]
    return found


def maxims(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what maxims show."""
    sides = ("chosen", "rejected", "both", "neither")
    shares = ("chosen_more", "rejected_more", "right", "accuracy")
    (variation,) = (row["share"] for row in record["second_votes"] if row["level"] == "maxim")
    return {
        "agreed": record["agreed"],
        "per_maxim": {
            row["maxim"]: {side: percents(row[side]) for side in sides} for row in record["sides"]
        },
        "asymmetry": record["asymmetry"],
        "by_rule": {
            row["rule"]: {name: percents(row[name]) for name in shares} for row in record["rules"]
        },
        "variation": percents(variation),
    }


def crossed(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return same and different acts by which response satisfies more maxims."""
    rows = {(row["acts"], row["more"]): row["share"] for row in record["responses"]}
    found: dict[str, Any] = {"n": rows["same", "all"]["n"]}
    names = {"chosen": "chosen_more", "rejected": "rejected_more", "equal": "equal"}
    for kind in ("same", "different"):
        cells = {name: percents(rows[kind, more]) for more, name in names.items()}
        found[kind] = percents(rows[kind, "all"]) | cells
    return found


def example(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stretch of turns with the acts of each."""
    turns = [{"text": text, "acts": acts} for text, acts in record["turns"]]
    return {"item": record["item"], "turns": turns}

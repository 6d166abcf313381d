"""AMULET's juries on HH-TEST (docs/jury-amulet.md): every verdict, and the study in its shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assize.stats import wilson
from golden.figures import flatten
from golden.product import DATA, Figures, judgments, percents, run

HH = DATA / "amulet-hh-test"
VOTES = HH / "outputs-gpt4o.jsonl.gz", HH / "reward-models.jsonl"
ITEMS = HH / "instances.jsonl"
JURIES = {
    "da > maxim": ("--cascade", "da > maxim"),
    "da > maxim > explained": ("--cascade", "da > maxim > explained"),
    "all": ("--panel", "all"),
    "four": ("--panel", "io, explained, da, maxim"),
    "weighted": ("--panel", "io=1, explained=2, da=3, maxim=3"),
    "reliability": ("--reliability", "--exchangeable"),
}
RESULTS = ("win", "tie", "loss")
Object = dict[str, Any]


def read(folder: Path) -> Figures:
    """Return the figures of some juries, of their verdicts, and of the study."""
    for name, options in JURIES.items():
        out = folder / "verdicts.jsonl"
        result = run("jury", *VOTES, "--items", ITEMS, "--unscored", "loss", *options, "--out", out)
        yield from flatten(jury(result), name)
        yield from ((f"{name}/verdicts/{key}", figure) for key, figure in judgments(out))
        out.unlink()
    files = ",".join(map(str, (*VOTES, ITEMS)))
    yield from flatten(
        study(run("study", "juries", "--paper", "--set", f"HH-TEST={files}")), "study"
    )


def jury(result: Object) -> Object:
    """Return a jury's figures under the names that BASE has for them."""
    lost = result["settings"]["unscored"] == "loss" and "win" in result
    kinds = {row["question"]: row for row in result["fits"]}
    rates = {(row["question"], row["judge"]): row for row in result["reliabilities"]}
    names = {row["by"]: row for row in result["decided_by"]}
    known = RESULTS if "win" in result else ()
    judges = {}
    for row in result["judges"]:
        own = names.get(row["judge"], {"n": 0, "results": {}})
        judges[row["judge"]] = {
            "n": row["n"],
            "unscored": 0 if lost else row["unscored"],
            "not_asked": row.get("not_asked", 0),
            "read": row["read"],
            "decided": own["n"],
            "results": own["results"],
            **_judge_shares(row, known),
            **_rates(rates.get((result["question"], row["judge"]))),
        }
    figures = {
        **{key: result[key] for key in ("jury", "question", "n", "without_gold", "exit code")},
        **{name: percents(result[name]) if known else None for name in RESULTS},
        **({"reasons": result["reasons"]} if known else {}),
        "unscored": 0 if lost else result["unscored"],
        "unscored_as": result["settings"]["unscored"],
        "answers": {
            row["answer"]: percents(row["items"]) for row in result["answers"] if _count(row)
        },
        "judges": judges,
        "decided_by": {
            name: percents(row["decided"]) | {"results": row["results"]}
            for name, row in names.items()
        },
        "paths": {row["path"]: percents(row["items"]) for row in result["paths"]},
        "gold_ties": {
            "n": result["gold_ties"],
            "answers": {
                row["answer"]: row["gold_tie"] for row in result["answers"] if row.get("gold_tie")
            },
        },
        "cost": {
            "used": _cost(result["costs"]["this jury"]),
            "everyone": _cost(result["costs"]["all judges"]),
            "saved_percent": _rounded(result.get("saved_percent"), 2),
            "saved_of": result["saved_of"],
        },
    }
    if kinds:
        fit = kinds[result["question"]]
        figures["accuracy"] = figures["win"]
        figures["reliability"] = {
            "share_a": round(fit["share_a"], 4),
            **{key: fit[key] for key in ("exchangeable", "converged", "doubts")},
            "doubtful": bool(fit["doubts"]),
        }
    if len(kinds) > 1:
        figures["questions"] = {name: _fit(row, rates) for name, row in kinds.items()}
    return figures


def study(result: Object) -> Object:
    """Return a study's figures under the names that BASE has for them."""
    labels = {row["jury"]: place for place, row in enumerate(result["juries"])}
    tests: dict[str, list[Object]] = {row["set"]: [] for row in result["sets"]}
    for pair in result["comparisons"]:
        name = pair.get("set", next(iter(tests)))
        tests[name].append(_pair(pair, labels))
    paper: Object = {}
    for cell in result["cells"]:
        rows = paper.setdefault(str(cell["table"]), {"rows": {}})["rows"]
        rows.setdefault(cell["row"], {})[cell["column"]] = _cell(cell)
    for table in result["printed"]:
        number, _, title = table["table"].partition(": ")
        paper[number]["title"] = title
    return {
        "sets": {
            row["set"]: {"pairs": row.get("pairs"), "judged": row["judged"]}
            for row in result["sets"]
        },
        "models": result["models"],
        "juries": [_jury_row(row) for row in result["juries"]],
        "tests": tests,
        "reruns": result["reruns"],
        "paper": paper,
        "exit code": result["exit code"],
    }


def _jury_row(row: Object) -> Object:
    figures = {"set": row["set"], "jury": row["jury"], "model": row.get("model")}
    if "least_turns" in row:
        figures["least_turns"] = row["least_turns"]
    if "n" not in row:
        return figures | {"n": None, "reason": row["reason"]}
    return figures | {
        "n": row["n"],
        "unscored": row["unscored"],
        "judges": row["judges"],
        **{name: percents(row[name]) for name in RESULTS},
        "paths": {name: percents(share) for name, share in row["paths"].items()},
        "right_alone": {name: percents(share) for name, share in row["right_alone"].items()},
    }


def _pair(pair: Object, labels: Mapping[str, int]) -> Object:
    """A comparison with the jury first that the study has first, as BASE has it."""
    first, second = pair["first"], pair["second"]
    only, difference = (pair["only_first"], pair["only_second"]), pair["difference"]
    if labels[first] > labels[second]:
        first, second, only = second, first, only[::-1]
        low, high = difference["interval"]
        difference = difference | {"estimate": -difference["estimate"], "interval": [-high, -low]}
    return {
        "first": first,
        "second": second,
        "difference": difference,
        "only_first": only[0],
        "only_second": only[1],
        **{key: pair[key] for key in ("n", "unscored", "p_value", "p_holm")},
    }


def _cell(cell: Object) -> Object:
    ours: Any = [percents(share) for share in cell["ours"]]
    printed = cell["printed"]
    figures = {
        "ours": None
        if not ours
        else ours[0]
        if len(ours) == 1
        else dict(zip(RESULTS, ours, strict=True)),
        "printed": printed[0] if len(printed) == 1 else printed,
        "same": cell.get("same"),
    }
    if cell["judges"]:
        figures["judges"] = cell["judges"]
    return figures | ({"reason": cell["reason"]} if "reason" in cell else {})


def _judge_shares(row: Object, known: Sequence[str]) -> Object:
    if known:
        shares = {name: percents(row[name]) for name in known}
        return shares | {"reasons": row["reasons"], "right_alone": percents(row["right_alone"])}
    shares = {"A": row["a"], "tie": row["tie"], "B": row["b"]}
    figures = {name: percents(share) for name, share in shares.items() if share["count"]}
    if row["unscored"]:
        share = wilson(row["unscored"], row["n"])
        figures["unscored"] = percents(asdict(share))
    return {"answers": figures}


def _rates(row: Object | None) -> Object:
    if row is None:
        return {}
    return {
        name: {
            "estimate": _rounded(row[name]["estimate"], 4),
            "interval": [_rounded(end, 4) for end in row[name]["interval"]],
            "n": row["n"],
            "unscored": row["unscored"],
        }
        for name in ("alpha", "beta")
    } | {"votes": row["n"], "tie_votes": row["ties"]}


def _fit(row: Object, rates: Mapping[tuple[str, str], Object]) -> Object:
    numbers = ("share_a", "log_likelihood", "independent_judges", "discount", "right_way_round")
    return {
        **{key: _rounded(row[key], 4) for key in numbers},
        **{key: row[key] for key in ("known_labels", "below_chance", "converged", "doubts")},
        "pairs": row["n"],
        "mean": {
            "estimate": _rounded(row["mean"]["estimate"], 4),
            "interval": [_rounded(end, 4) for end in row["mean"]["interval"]],
        },
        "judges": {
            judge: _rates(rate)
            for (question, judge), rate in rates.items()
            if question == row["question"]
        },
    }


def _cost(row: Object) -> Object:
    names = ("calls", "input_tokens", "output_tokens")
    return {
        **{key: row[key] for key in ("votes", "estimated_votes")},
        **{key: row.get(key, 0) for key in names},
        "cost_usd": _rounded(row.get("cost_usd"), 6),
    }


def _count(row: Object) -> int:
    return int(row["items"]["count"])


def _rounded(value: float | None, digits: int, *, times: int = 1) -> float | None:
    return None if value is None else round(times * value, digits)

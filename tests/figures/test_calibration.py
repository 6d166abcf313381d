"""What is measured on LLM-Rubric's dialogues: docs/calibration-*figures.md."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.figures.conftest import (
    find_data,
    numbers,
    page,
    run_json,
    run_program,
    unlike,
    unlike_in_turn,
)

CALIBRATION, STUDY = "docs/calibration-figures.md", "docs/calibration-study-figures.md"
MEASURES = {
    "RMSE": "rmse",
    "Pearson": "pearson",
    "Spearman": "spearman",
    "Kendall": "kendall",
    "log loss": "log_loss",
}
NAMES = {
    "argmax of the model": "argmax",
    "expected answer of the model": "expected",
}
QUICK = ("-m", "baselines", "-m", "default", "--permutations", 1)
BY_TOPIC, BY_SYSTEM = ("--folds-by", r"_(\d+)"), ("--leave-out", r"^V(\d)")


@pytest.fixture
def files() -> tuple[object, ...]:
    """LLM-Rubric's answers and ratings of the synthetic dialogues, as options."""
    folder = find_data("llm-rubric")
    return "-a", f"{folder}/synth_llm.csv", "-r", f"{folder}/synth_human.csv"


def rows_of(found: Any) -> Any:
    return {row["method"]: row["figures"] for row in found["cross_validated"]}


def measured(found: Any, label: str, *names: str) -> list[float]:
    """The figures of a method's row that there are."""
    row = rows_of(found)[NAMES.get(label, label)]
    each = [row[MEASURES[name]]["estimate"] for name in names]
    return [one for one in each if one is not None]


def paired_tests(found: Any, loss: str) -> dict[str, Any]:
    """The paired tests of all methods against the default."""
    return {
        ({pair["first"], pair["second"]} - {"default"}).pop(): pair["test"]
        for pair in found["tests"]["cross-validated"]["pairs"]
        if "default" in (pair["first"], pair["second"]) and pair["loss"] == loss
    }


def corrected(tests: Mapping[str, Any]) -> dict[str, float]:
    """Holm's p-values of these tests alone; those in the answer are of all pairs."""
    found, least = {}, 0.0
    for place, name in enumerate(sorted(tests, key=lambda name: tests[name]["p_value"])):
        least = max(least, (len(tests) - place) * tests[name]["p_value"])
        found[name] = min(1.0, least)
    return found


def study_table(found: Any, labels: Sequence[str] | None = None) -> dict[Any, str]:
    """Where the study's table differs from what was found, in some rows or in all."""
    table = page(STUDY).table("", *MEASURES)
    if labels is not None:
        table = table.only(labels)
    values = {
        (label, name): value
        for label, *_ in table.rows
        for name in MEASURES
        for value in measured(found, label, name)
    }
    return dict(table.differences(values))


FAST = (
    *("random", "argmax of the model", "expected answer of the model"),
    *("constant", "rater mean", "ridge", "default"),
)


def test_baselines_and_the_default_predict_as_well_as_the_study_says(
    files: tuple[object, ...],
) -> None:
    found = run_json("study", "calibration", *files, "-t", "Q0", *QUICK)
    assert not study_table(found, FAST)
    counts = page(STUDY).said(r"\((\d+) forms about (\d+) dialogues by (\d+) raters; the target")
    assert [int(one) for one in counts] == [found[k] for k in ("forms", "items", "raters")]
    again = page(STUDY).said(
        r"RMSE is that of a constant prediction \(([\d.]+)\); with 106 its log loss is below that"
        r" of a constant prediction \(([\d.]+)\)"
    )
    values = measured(found, "constant", "RMSE", "log loss")
    assert not unlike_in_turn(again, values)


SPLITS = ("folds by item", "folds by topic", "a system left out")


@pytest.mark.slow("fits the research data")
def test_of_a_new_system_as_much_is_known_as_the_study_says(files: tuple[object, ...]) -> None:
    found = run_json("study", "calibration", *files, "-t", "Q0", *QUICK, *BY_SYSTEM)
    table = page(STUDY).table("", *SPLITS).only(("constant", "rater mean", "ridge", "default"))
    values = {
        (label, SPLITS[2]): measured(found, label, "RMSE", "Pearson", "log loss")
        for label, *_ in table.rows
    }
    assert not table.only_column(SPLITS[2]).differences(values)


def kept(path: str, target: Path, keep: Callable[[Mapping[str, str]], bool]) -> Path:
    """A copy of some rows of a table."""
    with Path(path).open(newline="") as source, target.open("w", newline="") as copy:
        rows = csv.DictReader(source)
        writer = csv.DictWriter(copy, rows.fieldnames or ())
        writer.writeheader()
        writer.writerows(row for row in rows if keep(row))
    return target


FOLDS = ("folds by item", *MEASURES)


@pytest.mark.nightly("repeats a part of the study")
def test_the_default_predicts_the_released_training_set_as_well_as_the_docs_say(
    tmp_path: Path,
) -> None:
    answers, ratings = (
        find_data("llm-rubric/synth_llm.csv"),
        find_data("llm-rubric/synth_human.csv"),
    )
    with Path(answers).open(newline="") as source:
        listed = {row["dialogue_id"] for row in csv.DictReader(source) if row["in_id_list"] == "1"}
    files = (
        *("-a", kept(answers, tmp_path / "a.csv", lambda row: row["dialogue_id"] in listed)),
        "-r",
        kept(
            ratings,
            tmp_path / "r.csv",
            lambda row: row["dialogue_id"] in listed and "missing" not in row.values(),
        ),
    )
    forms, raters, seeds = page(CALIBRATION).said(
        r"synthetic dialogues \((\d+) ratings of Q0, 1 to 4, by (\d+) raters; means over (\d+)"
        r" seeds"
    )
    methods = ("-m", "constant", "-m", "default", "--permutations", 1)
    found = run_json("study", "calibration", *files, "-t", "Q0", *methods, "--seeds", seeds)
    assert not unlike({"forms": (forms, found["forms"]), "raters": (raters, found["raters"])})
    cells = page(CALIBRATION).table(*FOLDS).only(("constant", "default")).cells()
    whole = (1 - 1 / int(seeds)) ** 0.5  # the page's deviation is that of all seeds there are
    pairs = {}
    for (label, name), cell in cells.items():
        figure = rows_of(found)[label][MEASURES[name]]
        values = figure["estimate"], whole * figure["spread"]
        pairs[label, name] = cell, values if "(" in cell else values[:1]
    assert len(pairs) == 10
    assert not unlike(pairs)


def test_choosing_among_candidates_gains_what_the_docs_say() -> None:
    printed = run_program("benchmarks/calibration_select.py", find_data("llm-rubric"))
    lines = dict(line.split(": ") for line in printed.splitlines())
    said = page(CALIBRATION).said(
        r"was rated ([\d.]+) above the average candidate, 95% interval ([\d.]+) to ([\d.]+), where"
        r" ([\d.]+) was expected"
    )
    topics = page(CALIBRATION).said(r"five systems' dialogues about each of (\d+) topics")
    rated, expected = numbers(lines["rated"]), numbers(lines["expected"])
    assert (*said, *topics) == (*rated[:3], expected[0], rated[3])


@pytest.mark.nightly("repeats a part of the study")
def test_labels_of_a_new_system_are_worth_what_the_docs_say() -> None:
    printed = run_program("benchmarks/calibration_sets.py", find_data("llm-rubric"))
    rows = [line for line in printed.splitlines() if line.startswith("| ")]

    assert len(rows) == 6
    assert "\n".join([rows[0], "|---|---|---|---|", *rows[1:]]) in page(CALIBRATION).text
    gaps = [line.partition(" less none: ")[2] for line in printed.splitlines()[-3:]]
    values = [one for gap in gaps for one in re.findall(r"loss [-+](\d\.\d+)", gap)]
    columns = ("labels a rater", "squared error lower by", "log loss lower by")
    table = page(CALIBRATION).table(*columns).rows
    assert [row[0] for row in table] == ["1", "3", "5"]
    assert [cell.partition(" ")[0] for row in table for cell in row[1:]] == values


@pytest.mark.nightly("repeats a part of the study")
def test_all_methods_predict_as_well_as_the_study_says(files: tuple[object, ...]) -> None:
    found = run_json("study", "calibration", *files, "-t", "Q0")
    wrong = study_table(found)

    rmse = {name: row["rmse"]["estimate"] for name, row in rows_of(found).items()}
    worth = {name: value for name, value in rmse.items() if name.endswith(" as answered")}
    said = page(STUDY).said(
        r"would help most for Q8 \(RMSE ([\d.]+)\) and Q1 \(([\d.]+)\), and not at all for Q3"
        r" \(([\d.]+)\)"
    )
    by_worth = sorted(worth, key=lambda name: worth[name])
    assert [by_worth[place] for place in (0, 1, -1)] == [f"Q{n} as answered" for n in (8, 1, 3)]
    prose = [*zip(said, [worth[f"Q{n} as answered"] for n in (8, 1, 3)], strict=True)]
    (errors,) = page(STUDY).said(
        r"smooth calibration error from 0.122 to 0.064 \(network ([\d., ]+)\)"
    )
    shown = [
        one["estimate"]
        for row in found["reliability"]
        if row["method"] == "network"
        for one in row["errors"].values()
    ]
    assert not wrong | unlike(dict(enumerate([*prose, (errors, shown)])))


@pytest.mark.nightly("repeats a part of the study")
def test_networks_know_as_much_of_new_topics_and_systems_as_the_study_says(
    files: tuple[object, ...],
) -> None:
    methods = ("-m", "baselines", "-m", "calibrated")
    table = page(STUDY).table("", *SPLITS)
    values, leads = {}, []
    for column, how in zip(SPLITS, ((), BY_TOPIC, BY_SYSTEM), strict=True):
        found = run_json("study", "calibration", *files, "-t", "Q0", *methods, *how)
        for label, *_ in table.rows:
            values[label, column] = measured(found, label, "RMSE", "Pearson", "log loss")
        tests = paired_tests(found, "squared error")
        leads += [tests["ridge"]["statistic"], corrected(tests)["ridge"]]
    assert not table.differences(values)
    said = page(STUDY).said(
        r"lead over ridge in squared error is ([\d.]+) \(p = ([\d.]+)\) by item, ([\d.]+) \(p ="
        r" ([\d.]+)\) by topic and ([\d.]+) \(p = ([\d.]+)\) where a system is left out"
    )
    assert not unlike_in_turn(said, leads)


@pytest.mark.nightly("repeats a part of the study")
def test_learning_curves_are_what_the_study_says(files: tuple[object, ...]) -> None:
    table = page(STUDY).table(
        "forms learnt from",
        *(f"{measure}, {name}" for measure in ("RMSE", "Pearson", "log loss") for name in METHODS),
    )
    (draws,) = page(STUDY).said(r"Mean \(5-95% of (\d+) random subsamples\) on held-out folds")
    methods = ("-m", "default", "--permutations", 1)
    found = run_json("study", "calibration", *files, "-t", "Q0", *methods, "--curve", draws)
    assert not table.differences(
        {
            (str(point["rows"]), f"{measure}, {point['method']}"): [
                point["measures"][MEASURES[measure]]["estimate"],
                *point["measures"][MEASURES[measure]]["interval"],
            ]
            for point in found["curve"]
            for measure in ("RMSE", "Pearson", "log loss")
        }
    )


METHODS = ("default", "network")
RULES = {
    "nothing asked": ("fixed order", 0),
    "first question of a fixed order": ("fixed order", 1),
    "first three of a fixed order": ("fixed order", 3),
    "first six of a fixed order": ("fixed order", 6),
    "everything": ("fixed order", 9),
}


@pytest.mark.nightly("repeats a part of the study")
def test_fewer_questions_cost_what_the_study_says(files: tuple[object, ...]) -> None:
    methods = ("-m", "default", "--permutations", 1, "--seeds", 1)
    found = run_json("study", "calibration", *files, "-t", "Q0", *methods, "--adaptive")["adaptive"]
    points = {(one["rule"], one["most"] if "most" in one else one["least"]): one for one in found}
    table = page(STUDY).table(
        "rule", "questions asked", "calls saved", "RMSE", "Pearson", "log loss"
    )
    values = {}
    for label, *_ in table.rows:
        least = label.partition("adaptive, least ")[2]
        one = points["adaptive", float(least)] if least else points[RULES[label]]
        values[label, "questions asked"] = one["calls"]
        values[label, "calls saved"] = 100 * one["saved"]
        for name in ("RMSE", "Pearson", "log loss"):
            values[label, name] = one[MEASURES[name]]
    assert not table.differences(values)
    (apply,) = page(STUDY).said(r"one seed; ([\d.]+) questions apply to an item on average")
    assert not unlike({"apply": (apply, found[0]["all_calls"])})


THREE = r"(-?[\d.]+), (-?[\d.]+) and (-?[\d.]+)"


@pytest.mark.nightly("repeats a part of the study")
def test_improving_a_question_is_worth_what_the_docs_say(
    files: tuple[object, ...], tmp_path: Path
) -> None:
    said = page(CALIBRATION).said(
        rf"--seed 0, 1 and 2 give {THREE} for Q1 \(free\), {THREE} for Q6 \(free\), and {THREE} for"
        r" Q6 \(manifold\)"
    )
    each = []
    for seed in range(3):
        folders = []
        for question in ("Q0", "Q1", "Q6"):
            folders.append(tmp_path / f"{question}-{seed}")
            fit = ("calibrate", "fit", *files, "-t", question, "--network", "paper")
            run_json(*fit, "--seed", seed, "--out", folders[-1])
        rows = run_json("calibrate", "importance", *folders, *files[:2])["questions"]
        found = {(row["question"], row["along"]): row["mean"]["estimate"] for row in rows}
        each.append([found[way] for way in (("Q1", "free"), ("Q6", "free"), ("Q6", "manifold"))])
    values = [row[way] for way in range(3) for row in each]
    assert not unlike_in_turn(said, values)


BENCHMARK = {
    "constant": "constant",
    "ridge, rater intercepts": "ridge, rater intercepts",
    "the same with rater slopes": "ridge, rater slopes",
    "published network, as released": "published network, its setting",
    "published network, searched": "published network, nested search",
    "default, --na zeros, --as-fitted": "default, --na zeros, --as-fitted",
    "default": "default",
}
ELSEWHERE = {
    "ridge, rater intercepts": "ridge, rater intercepts",
    "published network, as released": "published network, its setting",
    "default, --na zeros, --as-fitted": "default, --na zeros, --as-fitted",
    "default": "default",
}
# The rows of paired differences: the part, and what the default is compared with.
PAIRED = (
    *((part, "default, --na zeros, --as-fitted") for part in range(3)),
    (0, "published network, nested search"),
    (1, "published network, its setting"),
    *((part, "ridge, rater intercepts") for part in range(3)),
)


@dataclass(frozen=True)
class Part:
    """What the benchmark prints of one way to hold out: by method, its figures in order, and the
    default's paired tests against it; the default's calibration errors."""

    figures: dict[str, list[list[float]]]
    tests: dict[str, list[float]]
    errors: list[float]

    @classmethod
    def of(cls, text: str) -> Part:
        figures, tests, errors = {}, {}, []
        for line in text.splitlines()[1:]:
            head, _, tail = line.partition(": ")
            found = [float(one) for one in numbers(tail)]
            if head.startswith("  default - "):
                tests[head.removeprefix("  default - ")] = found
            elif head == "default, smooth ECE by answer":
                errors = found
            else:
                cells = [[float(one) for one in numbers(cell)] for cell in line[34:].split("  ")]
                figures[line[:34].strip()] = cells
        return cls(figures, tests, errors)


@pytest.mark.nightly("repeats a part of the study")
def test_the_benchmark_measures_what_the_docs_say() -> None:
    told = run_program("benchmarks/calibration.py", find_data("llm-rubric"), "quality").split(
        "\n\n"
    )
    items, topics, systems = map(Part.of, told[1:])
    pairs: dict[Any, tuple[str, Any]] = {}
    *mine, theirs = page(CALIBRATION).table(*FOLDS).rows
    assert theirs[0] == "the released code, its best setting"  # not run here
    assert [row[0] for row in mine] == list(BENCHMARK)
    for label, *cells in mine:
        for place, cell in enumerate(cells):
            if cell:
                found = items.figures[BENCHMARK[label]][place]
                pairs[label, place] = cell, found[: len(numbers(cell))]
    columns = ("", "folds by topic: RMSE, Pearson, log loss", "a system left out")
    for label, *cells in page(CALIBRATION).table(*columns).rows:
        for part, cell in zip((topics, systems), cells, strict=True):
            figures = part.figures[ELSEWHERE[label]]
            places = (0, 1, 4)[: len(numbers(cell))]
            pairs[label, cell] = cell, [figures[place][0] for place in places]
    rows = page(CALIBRATION).table("", "squared loss", "log loss").rows
    for (which, other), (label, *cells) in zip(PAIRED, rows, strict=True):
        tests = (items, topics, systems)[which].tests[other]
        for place, cell in enumerate(cells):
            if cell:
                pairs[label, other, which, place] = cell, tests[4 * place : 4 * place + 4]
    errors = page(CALIBRATION).said(
        r"Smooth calibration error of the four answers: ([\d., ]+) by item, ([\d., ]+) by topic,"
        r" ([\d., ]+) where a system"
    )
    for text, part_of in zip(errors, (items, topics, systems), strict=True):
        pairs["errors", text] = text, part_of.errors
    assert not unlike(pairs)


TARGETS = {
    "iEval, likable": "ieval, likable",
    "iEval, sensible": "ieval, sensible",
    "reliable-eval, interesting": "reliable-eval, interesting",
}
FIGURE = r"([\d.]+ \[[\d.]+, [\d.]+\])"  # with its interval
LINES = {
    "calibrator": "calibrator",
    "evaluator, distilled (8 draws)": "evaluator, drawn",
    "evaluator, from the same ratings": "evaluator, from the ratings",
}


@pytest.mark.nightly("repeats a part of the study")
def test_distilled_evaluators_are_as_good_as_the_docs_say() -> None:
    parts = ("people", "few", "rubric")
    told = run_program("benchmarks/distillation.py", find_data("."), *parts).split("\n\n")
    pairs: dict[Any, tuple[str, Any]] = {}
    for label, *cells in page(CALIBRATION).table("", "n", *LINES).rows:
        name, _, rated = label.rpartition(", ")
        how = "Spearman with people" if rated == "half rated" else f"ratings of {rated.split()[0]} "
        (block,) = [one for one in told if one.strip().startswith(f"{TARGETS[name]}: {how}")]
        first, second, *lines = block.strip().splitlines()
        (count,) = re.findall(r"(?:, n |people's of )(\d+)", f"{first} {second}")
        found = {line[:36].strip(): [float(one) for one in numbers(line[36:])] for line in lines}
        pairs[label, "n"] = cells[0], float(count)
        for column, cell in zip(LINES, cells[1:], strict=True):
            pairs[label, column] = cell, found[LINES[column]][: len(numbers(cell))]
    said = page(CALIBRATION).said(
        rf"Pearson with its expected Q0 is {FIGURE} for an evaluator that learnt from expected"
        rf" answers, and {FIGURE} for one that learnt from 8 draws"
    )
    for kind, text in zip(("expected", "drawn"), said, strict=True):
        (line,) = [line for block in told for line in block.splitlines() if f"Q0 {kind}" in line]
        values = [float(one) for one in numbers(line.partition("Pearson")[2])]
        pairs["Q0", kind] = text, values[: len(numbers(text))]
    assert not unlike(pairs)

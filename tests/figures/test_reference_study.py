"""The figures of the page on metrics against people, on the four corpora with references."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from golden.readers.reference import study_in
from tests.figures.conftest import page, run_json, unlike, unlike_in_turn

pytestmark = pytest.mark.nightly("repeats the study")

SETS = {"GRADE": "grade", "Gupta": "gupta", "USR": "usr", "MRBench": "mrbench"}
METRICS = (
    "cosine",
    "bertscore-precision",
    "bertscore-recall",
    "bertscore-f1",
    "rouge1-recall",
    "rouge2-recall",
    "rougel-recall",
    "rougelsum-recall",
)
LEARNERS = ("best metric", "linear", "paper-svm")
FOREST = "paper-forest"  # moves a little where a metric moves in its last digit
WHERE = ("own corpus", "from the others")
QUESTIONS = (
    "grade-coherence",
    "gupta-appropriateness",
    "usr-overall",
    "mistake_identification+mistake_location+providing_guidance+actionability",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study")


@pytest.fixture
def found(corpus: Callable[[str], Path], folder: Path, kept: dict[str, Any]) -> dict[str, Any]:
    """The study's rows by data set, made once."""
    if not kept:
        files = [corpus(name) for name in ("reference-turns", "mrbench")]
        run = folder / "run"
        wanted = [part for name in METRICS for part in ("--metric", name)]
        run_json("reference", "score", *files, "--out", run, *wanted, "--max-unscored", 20)
        asked = [part for one in QUESTIONS for part in ("--question", f"overall={one}")]
        items = [part for one in files for part in ("--items", one)]
        study = run_json(
            "study",
            "reference",
            run,
            *items,
            *asked,
            "--by",
            "^([a-z]+)-",
            "--preset",
            "paper",
            "--max-unscored",
            20,
        )
        kept |= {row["data"]: row for row in study_in(study | {"exit code": 0})["rows"]}
    return kept


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    return {}


def figures_of(found: dict[str, Any]) -> dict[tuple[str, str], float]:
    """By the table's rows and columns."""
    figures: dict[tuple[str, str], float] = {}
    for column, name in SETS.items():
        row = found[name]
        for one in row["metrics"]:
            figures[one["metric"], column] = one["items"]["pearson"]["estimate"]
        for one in row["ensembles"]:
            own = one["items"]["own"]["estimate"]
            if one["cross_validated"]:
                figures[f"{one['learner']}, own corpus", column] = own
            elif one["trained_on"] == "the others":
                figures[f"{one['learner']}, from the others", column] = own
    return figures


def test_the_table_of_four_corpora(found: dict[str, Any]) -> None:
    figures = figures_of(found)
    labels = [*METRICS, *(f"{one}, {where}" for where in WHERE for one in LEARNERS)]
    grid = page("docs/reference-figures.md").table("", *SETS).only(labels)
    wanted = {(label, column): figures[label, column] for label in labels for column in SETS}
    assert grid.differences(wanted) == {}


def test_the_forest_of_four_corpora(found: dict[str, Any]) -> None:
    figures = figures_of(found)
    labels = [f"{FOREST}, {where}" for where in WHERE]
    cells = page("docs/reference-figures.md").table("", *SETS).only(labels).cells()
    assert len(cells) == 8
    for place, said in cells.items():
        assert float(said) == pytest.approx(figures[place], abs=0.02), place


def test_how_far_the_raters_of_grade_agree(found: dict[str, Any]) -> None:
    plurality, majority, alpha = page("docs/reference-figures.md").said(
        r"more frequent than any other in ([\d.]+)%, has a majority in ([\d.]+)%, and is unanimous"
        r" in none\. Krippendorff's ordinal alpha is ([\d.]+) \("
    )
    grade = found["grade"]
    levels = grade["agreement_levels"]["kept"]
    assert levels["perfect"]["count"] == 0
    assert (
        unlike(
            {
                "plurality": (plurality, levels["plurality"]["percent"]),
                "majority": (majority, levels["majority"]["percent"]),
                "alpha": (alpha, grade["sources"]["all"]["alpha"]["estimate"]),
            }
        )
        == {}
    )


def test_the_sizes_of_the_corpora(found: dict[str, Any]) -> None:
    sizes = page("docs/reference-figures.md").said(
        r"([\d,]+) responses: (\d+) of GRADE .*?, (\d+) of Gupta et al\., (\d+) of USR, and"
        r" ([\d,]+) of MRBench, of which ([\d,]+) have a human reference"
    )
    items = [found[name]["items"] for name in SETS.values()]
    scored = found["mrbench"]["metrics"][0]["items"]["pearson"]["n"]
    values = [sum(items), *items, scored]
    assert unlike_in_turn(sizes, values) == {}


def test_the_forest_falls_apart_on_a_corpus_that_it_has_not_seen(found: dict[str, Any]) -> None:
    for name in ("gupta", "usr", "mrbench"):
        by = {
            one["trained_on"]: one["items"]["own"]["estimate"]
            for one in found[name]["ensembles"]
            if one["learner"] == "paper-forest"
        }
        assert by["the others"] < by[name] - 0.1, name

"""The page of `assize agree`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.pages.conftest import page_of

from assize.agreement import AgreeOptions, Audit, CloserToGold, measure_agreement
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.pages.agreement import answers_of_pair

pytest.importorskip("vl_convert")

SOLVED = Question("solved", kind="binary", answers=("no", "yes"), values=(0.0, 1.0), text="Solved?")
QUALITY = Question("quality", kind="number", range=(0.0, 1.0))


def judged(n: int = 120) -> JudgmentTable:
    """Two models that give probabilities and scores, gold, and an anonymous rater."""
    rng = np.random.default_rng(0)
    rows = []
    for at in range(n):
        truth = rng.random()
        gold = rng.random() < truth
        rows.append(Judgment(f"i{at}", "gold", "solved", answer=("no", "yes")[int(gold)]))
        for judge, noise in (("one", 0.1), ("two", 0.3)):
            p = float(np.clip(truth + rng.normal(0, noise), 0, 1))
            rows.append(
                Judgment(
                    f"i{at}",
                    judge,
                    "solved",
                    answer=("no", "yes")[int(p > 0.5)],
                    distribution={"no": 1 - p, "yes": p},
                    kind="model",
                )
            )
            rows.append(Judgment(f"i{at}", judge, "quality", score=p, kind="model"))
        rows.append(Judgment(f"i{at}", "gold", "quality", score=truth))
    return JudgmentTable.of(rows, [SOLVED, QUALITY])


def test_every_kind_of_picture_is_drawn_and_every_figure_stands_on_the_page(
    tmp_path: Path,
) -> None:
    options = AgreeOptions(gold="gold", compare=CloserToGold(("one", "two")), audit=Audit())
    found = measure_agreement(judged(), ["solved", "quality"], options)
    page = page_of(found, tmp_path, reproduce=["assize agree j.jsonl"])
    for part in (
        "kappa between judges",
        "one against gold: 120 judged by both",
        "Reliability of one: smooth calibration error",
        "one against two: 120 judged by both",
        "Closer to gold",
        "p (Holm)",
        "agree=solved, quality",
        "Solved?",
        "assize agree j.jsonl",
    ):
        assert part in page
    # two matrices, three confusions, three scatters, two reliabilities
    assert page.count("<svg") == 10


def test_coded_answers_have_their_labels_in_the_table_of_both_judges() -> None:
    solved = Question("solved", "", "binary", ("1", "2"), (1, 2), {"1": "no", "2": "yes"})
    rows = [
        Judgment(f"i{n}", judge, "solved", answer=answer)
        for n in range(4)
        for judge, answer in (("ann", "12"[n % 2]), ("bob", "12"[n > 1]))
    ]
    found = measure_agreement(JudgmentTable.of(rows, [solved]), ["solved"], AgreeOptions())
    ((spec, _),) = answers_of_pair(found.answers["solved"], found.pairs[0])
    cells = {(row["row"], row["column"]): row["value"] for row in spec["data"]["values"]}
    assert cells == {(a, b): 1.0 for a in ("1: no", "2: yes") for b in ("1: no", "2: yes")}

"""A project whose dashboard names networks, fitted in a second."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import assize
from assize.base.judgment import Judgment, Question
from assize.calibrate import features_of, forms_of
from assize.calibrate._artefact import save
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting
from assize.judgments import JudgmentTable

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = [
    Question(name, kind="ordinal", answers=ANSWERS, values=(1.0, 2.0, 3.0, 4.0))
    for name in ("Q0", "Q1")
]
YAML = """
dashboard: networks
judgments: ratings.jsonl
calibrators: {main: fitted/Q0, others: fitted/Q1}
answers: answers.jsonl
"""


def write_networks(folder: Path) -> None:
    """Writes answers of a model, ratings by two people, a network for each of two questions."""
    rng = np.random.default_rng(0)
    said, rated = [], []
    for at in range(40):
        for question in QUESTIONS:
            shares = dict(zip(ANSWERS, rng.dirichlet(np.ones(4)).tolist(), strict=True))
            said.append(Judgment(f"i{at}", "m", question.id, distribution=shares, kind="model"))
            best = max(shares, key=lambda one: shares[one])
            rated += [
                Judgment(f"i{at}", name, question.id, answer=best, kind="person")
                for name in ("ann", "bob")
            ]
    answers, ratings = (JudgmentTable.of(rows, QUESTIONS) for rows in (said, rated))
    assize.write(str(folder / "answers.jsonl"), answers)
    assize.write(str(folder / "ratings.jsonl"), ratings)
    setting = Setting(hidden1=4, hidden2=4, pretrain=1, finetune=1)
    for question in QUESTIONS:
        forms = forms_of(features_of(answers), ratings, question.id)
        save(fit_networks(forms, setting, [0]), folder / "fitted" / question.id)
    (folder / "dashboards").mkdir()
    (folder / "dashboards" / "networks.yaml").write_text(YAML, encoding="utf-8")

"""The page of `assize calibrate study`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assize.calibration import features_of, forms_of
from assize.calibration.study import Options, data_of, study
from assize.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.pages.calibration_study import write_study

ANSWERS = ("1", "2", "3", "4")
ASKED = Question("Q0", kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4))


def test_the_page_has_the_tables_of_its_study_and_how_raters_differ(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    said, rated = [], []
    for n in range(30):
        p = rng.dirichlet(np.ones(4))
        shares = dict(zip(ANSWERS, p.tolist(), strict=True))
        said.append(Judgment(f"i{n}", "m", "Q0", distribution=shares, kind="model"))
        for rater in ("ann", "<b>bob</b>"):
            answer = ANSWERS[int(rng.choice(4, p=p))]
            rated.append(Judgment(f"i{n}", rater, "Q0", answer=answer, kind="person"))
    forms = forms_of(
        features_of(JudgmentTable.of(said, [ASKED])), JudgmentTable.of(rated, [ASKED]), "Q0"
    )
    found = study(data_of(forms, folds=2, seeds=1), Options(("constant", "expected"), 50))
    size = write_study(tmp_path / "study.html", found, reproduce=["assize calibrate study"])
    text = (tmp_path / "study.html").read_text()
    assert size == len(text.encode())
    assert text.count("<caption>") == len(found.tables)
    assert "How raters differ" in text
    assert "<b>bob" not in text
    assert found.signature in text

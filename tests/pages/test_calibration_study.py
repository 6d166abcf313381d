"""The page of `assize study calibration`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.pages.conftest import page_of

from assize.base.judgment import Judgment, Question
from assize.calibrate import features_of, forms_of
from assize.calibrate._study import Options, Study, data_of, study
from assize.calibrate._study.baselines import expected
from assize.calibrate._study.methods import METHODS, Method
from assize.calibrate._study.result import MOST_RATERS
from assize.judgments import JudgmentTable

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
    text = page_of(found, tmp_path, reproduce=["assize study calibration"])
    assert text.count("<caption") == len(found.tables)
    assert "How raters differ" in text
    assert "<b>bob" not in text
    assert found.signature in text


def studied(raters: int, options: Options) -> Study:
    """Answers and ratings of twelve items; each rater always gives one and the same answer."""
    said = [
        Judgment(f"i{n}", "m", "Q0", distribution={ANSWERS[n % 4]: 0.7, ANSWERS[n % 3]: 0.2})
        if n % 4 != n % 3
        else Judgment(f"i{n}", "m", "Q0", distribution={ANSWERS[n % 4]: 0.9})
        for n in range(12)
    ]
    rated = [
        Judgment(f"i{n}", f"r{rater}", "Q0", answer=ANSWERS[rater % 4], kind="person")
        for n in range(12)
        for rater in range(raters)
    ]
    features = features_of(JudgmentTable.of(said, [ASKED]))
    forms = forms_of(features, JudgmentTable.of(rated, [ASKED]), "Q0")
    return study(data_of(forms, folds=2, seeds=1), options)


def test_the_page_opens_with_what_was_rated_and_has_no_heading_of_a_missing_part(
    tmp_path: Path,
) -> None:
    found = studied(3, Options(("constant",), 10))
    assert list(found.headline.items()) == [
        ("forms", ("36", "")),
        ("items", ("12", "")),
        ("raters", ("3", "")),
    ]
    text = page_of(found, tmp_path)
    assert found.sentence in text
    for title in (
        "How many forms are needed?",
        "Which questions need asking?",
        "Are the probabilities true?",
        "Every question</h2>",
        "Test set</h2>",
    ):
        assert title not in text


def test_raters_beyond_those_drawn_are_counted(tmp_path: Path) -> None:
    text = page_of(studied(MOST_RATERS + 2, Options(("constant",), 10)), tmp_path)
    assert "2 further rows are not shown." in text
    few = page_of(studied(MOST_RATERS, Options(("constant",), 10)), tmp_path)
    assert "are not shown" not in few


def test_each_answers_reliability_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Method("calibrated", "", lambda data: {"default": expected(data)["expected"]})
    monkeypatch.setitem(METHODS, "default", quick)
    text = page_of(studied(3, Options(("default",), 10)), tmp_path)
    for answer in ANSWERS:
        assert f"default, answer {answer}: smooth ECE " in text

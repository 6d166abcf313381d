"""Which figures stand on the page for scores."""

from __future__ import annotations

from pathlib import Path

from assize.base.judgment import Judgment, Question
from assize.pages.scores.score_report import ScoreReport

ASKED = [
    Question("overall", kind="number", range=(0, 1)),
    Question("kind", kind="number", range=(0, 1)),
    Question("Q", text="How clear?", kind="ordinal", answers=("1", "2"), values=(1, 2)),
]


def page(path: Path, *questions: str) -> str:
    report = ScoreReport([one for one in ASKED if one.id in questions])
    for n in range(6):
        rows = [
            Judgment(f"c{n}", "j", name, answer="12"[n % 2])
            if name == "Q"
            else Judgment(f"c{n}", "j", name, score=n / 6)
            for name in questions
        ]
        report.add(f"c{n}", rows)
    report.write(path / "page.html")
    return (path / "page.html").read_text()


def test_one_number_has_a_histogram_and_no_means(tmp_path: Path) -> None:
    text = page(tmp_path, "overall")
    assert text.count("<svg") == 1
    assert "spread on overall" in text


def test_numbers_on_one_scale_have_their_means_side_by_side(tmp_path: Path) -> None:
    text = page(tmp_path, "overall", "kind")
    assert "Means with their 95% intervals." in text
    assert text.count("<svg") == 3  # the spread of both, and the means


def test_answers_of_a_scale_are_bars_with_the_question_below(tmp_path: Path) -> None:
    text = page(tmp_path, "overall", "Q")
    assert "Q: How clear?" in text

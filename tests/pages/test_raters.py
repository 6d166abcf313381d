"""Charts of raters: alpha by question, and each rater's agreement."""

from __future__ import annotations

from typing import Any

from assize.agreement import report_raters
from assize.base.judgment import Judgment
from assize.pages.raters import draw_raters


def test_each_question_and_each_rater_has_a_point() -> None:
    answers = {"ann": "1214", "bob": "1224", "cy": "1314"}
    rows = [
        Judgment(f"i{item}", name, "q", answer=answer, kind="person")
        for name, said in answers.items()
        for item, answer in enumerate(said)
    ]
    charts = draw_raters(report_raters(rows))
    specs: dict[str, Any] = {key: pieces[0][0] for key, pieces in charts.items()}
    names = {key: [row["name"] for row in spec["data"]["values"]] for key, spec in specs.items()}
    assert names == {"overall": ["q"], "rows": ["ann", "bob", "cy"]}
    axes = {key: spec["layer"][0]["encoding"]["x"]["title"] for key, spec in specs.items()}
    assert axes == {"overall": "alpha", "rows": "agreement (part in alpha)"}

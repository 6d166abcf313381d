from __future__ import annotations

from tests.web.monitor.simulated import Rater, Study, collect, crowd

from assize.web._monitor.figures import figures
from assize.web._monitor.said import Finding, concerns, findings, how_chosen


def test_what_stands_out_is_said_with_its_size_and_n() -> None:
    raters = crowd(6, careless=Rater(careless=0.9), hasty=Rater(pace=0.2), same=Rater(always="5"))
    said = findings(figures(collect(Study(raters, items=200, gold=15)), least=0.6))
    texts = {one.rater: one.text for one in said}
    assert {"careless", "hasty", "same"} <= texts.keys()
    by_rater = {name: " ".join(one.text for one in said if one.rater == name) for name in texts}
    assert "less than they among themselves" in by_rater["careless"]
    assert "takes less than half the others' time (0.2" in by_rater["hasty"]
    assert "nearly always answers '5' to clear (100% of" in by_rater["same"]
    assert "gold answers: below 60%, and so is its whole interval" in by_rater["careless"]


def test_where_all_is_well_little_is_said() -> None:
    said = findings(figures(collect(Study(crowd(5), items=80)), least=0.6))
    assert said == []


def test_findings_stand_together_by_rater_the_sure_ones_first() -> None:
    found = concerns(
        [
            Finding("b1", "b", sure=False),
            Finding("a1", "a"),
            Finding("task"),
            Finding("a2", "a"),
        ]
    )
    assert [(one.rater, one.texts, one.sure) for one in found] == [
        ("a", ["a1", "a2"], True),
        (None, ["task"], True),
        ("b", ["b1"], False),
    ]


def test_a_way_that_has_no_words_is_named_as_it_is() -> None:
    assert (how_chosen("file"), how_chosen("other")) == ("in the order of the file", "other")

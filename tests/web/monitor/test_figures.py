from __future__ import annotations

from tests.web.monitor.simulated import CLEAR, Rater, Study, collect, crowd

from assize.base.judgment import Judgment
from assize.web._monitor.collected import Collected, Work
from assize.web._monitor.figures import figures


def test_every_question_and_rater_has_its_figures() -> None:
    found = figures(collect(Study(crowd(4), items=40, gold=5)), least=0.7)
    assert [one.question for one in found.agreement] == ["clear", "kind"]
    assert list(found.raters) == ["r0", "r1", "r2", "r3"]
    assert len(found.by_question["kind"]) == len(found.gold) == len(found.speeds) == 4
    assert [one.ratings for one in found.apart["gold"]] == [20, 20]
    assert len(found.gold_by_question) == len(found.offsets) == 8


def test_the_qualification_is_held_to_what_its_task_lets_pass() -> None:
    row = (Work("a", "q", purpose="qualify"), [Judgment("q", "a", "clear", answer="3")])
    found = Collected.of([row], [CLEAR], {"q": {"clear": "4"}})
    shares = [figures(found, within=places).qualified[0].right.estimate for places in (0, 1)]
    assert shares == [0.0, 1.0]


def test_a_task_without_an_answer_has_empty_figures() -> None:
    found = figures(Collected.of([], [CLEAR]))
    assert found.agreement[0].alpha.reason == "nobody has answered yet"
    assert (found.raters, found.gold, found.disputed["clear"]) == ({}, [], [])


def test_planted_faults_are_each_found_where_they_belong() -> None:
    raters = crowd(7, careless=Rater(careless=0.9), strict=Rater(offset=-1), hasty=Rater(pace=0.2))
    found = figures(collect(Study(raters, items=300, gold=20)), least=0.6)
    assert [one.rater for one in found.raters.values() if one.stands_out] == ["careless"]
    assert [one.rater for one in found.speeds if one.stands_out] == ["hasty"]
    assert {
        one.rater for one in found.offsets if one.stands_out and abs(one.mean.estimate) > 0.4
    } >= {"strict"}
    assert "careless" in {one.rater for one in found.gold if one.sure}

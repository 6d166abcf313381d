"""From a table of judgments and a composition to a jury that has sat."""

from __future__ import annotations

from typing import Any

import pytest
from tests.juries.conftest import SAID, pair, table_of, vote

from assize.base.errors import AssizeError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries import Cascade, Panel, Reliability
from assize.juries.decide import decide, names_of
from assize.juries.decisions import gold_answers

DA = Cascade(("da",))


def test_identical_responses_are_a_tie_whatever_was_voted() -> None:
    rows = table_of({"da": {"p": "AA"}})
    outcome: Any = decide(rows, DA, pairs={"p": pair("p", same=True)}).outcome
    assert outcome.jury.counts == {"tie": 1}
    assert outcome.paths == {"identical": 1}
    assert outcome.saving.used.votes == 0
    assert outcome.judges["da"].tie.count == outcome.judges["da"].n == 1


def test_the_pairs_say_which_items_count_and_a_judge_without_a_row_was_not_asked() -> None:
    rows = table_of({"da": {"p1": "AA", "stray": "AA"}})
    result = decide(rows, DA, pairs={"p1": pair("p1"), "p2": pair("p2")})
    outcome: Any = result.outcome
    assert outcome.items == ("p1", "p2")
    judge = outcome.judges["da"]
    assert (judge.not_asked, judge.n, judge.win.count) == (1, 1, 1)
    assert (outcome.n, outcome.unscored, outcome.jury.counts) == (1, 0, {"win": 1})
    assert result.notes == ["1 that no judge of the jury was asked about: not counted"]


def test_the_signature_tells_juries_apart() -> None:
    compositions = (
        Cascade(("da", "maxim")),
        Cascade(("maxim", "da")),
        Panel({"da": 1.0, "maxim": 1.0}),
        Panel({"da": 2.0, "maxim": 1.0}),
        Cascade(("da", "maxim"), unscored="loss"),
        Reliability(),
    )
    first, again = ([decide(table_of(SAID), one).signature for one in compositions] for _ in "12")
    assert len(set(first)) == 6
    assert first == again


@pytest.mark.parametrize(
    ("jury", "more", "said"),
    [
        (Cascade(("io",)), {}, "no judge 'io'"),
        (Cascade(("da", "d")), {}, "named twice"),
        (DA, {"question": "Overall"}, "no vote on 'Overall'"),
        (DA, {"pairs": {"q": pair("q")}}, "judged were 'p1' and others, the pairs are 'q'"),
    ],
)
def test_what_contradicts_itself_is_refused(jury: Cascade, more: Any, said: str) -> None:
    with pytest.raises(AssizeError, match=said):
        decide(table_of(SAID), jury, **more)


def test_a_pairs_own_gold_comes_before_the_judge_gold() -> None:
    rows = table_of({"gold": {"p1": "BB", "p2": "BB", "p3": "BB"}})
    pairs = {"p1": pair("p1", "A"), "p2": pair("p2", None)}
    assert gold_answers(rows, "preference", "gold", pairs) == {"p1": "A", "p2": "B", "p3": "B"}


def test_gold_may_be_another_judge_who_then_has_no_vote() -> None:
    rows = table_of({"da": {"p": "AA"}, "ann": {"p": "BB"}})
    found: Any = decide(rows, Panel(), gold="ann")
    assert found.members == ("da",)
    assert found.outcome.jury.counts == {"loss": 1}


def test_without_names_all_judges_are_heard_equally() -> None:
    # p1: A against B; p2 and p3: a tie beside A, and a tie beside a tie; p4: nobody is whole
    found = decide(table_of(SAID), Panel())
    assert found.members == ("da", "maxim")
    assert found.outcome.verdicts.answers == ["tie", "A", "tie", None, "tie"]


def test_a_panels_weights_go_to_the_judges_that_their_names_begin() -> None:
    rows = [vote("p", "da@m", "A", None), vote("p", "maxim@m", "B", None)]
    table = JudgmentTable.of(rows)
    for weights, answer in (({"maxim": 2.0, "da": 1.0}, "B"), ({"maxim": 1.0, "da": 2.0}, "A")):
        found = decide(table, Panel(weights))
        assert found.members == ("maxim@m", "da@m")
        assert found.outcome.verdicts.answers[0] == answer


def test_a_model_chooses_among_judges_of_one_name() -> None:
    composition = Cascade(("da",), model="n")
    assert names_of(composition, ("da@m", "da@n")) == ("da@n",)


def test_a_member_who_has_no_vote_yet_may_sit() -> None:
    rows = table_of({"da": {"p": "AB"}})
    found = decide(rows, Cascade(("da", "late")), members=("late",))
    assert found.members == ("da", "late")
    assert found.outcome.path_of[0] == "tie-unscored"


def test_the_judges_own_signatures_are_in_the_jurys() -> None:
    one, two, again = (
        decide(
            JudgmentTable.of([Judgment("p", "j", "preference", answer="A", signature=own)]),
            Cascade(("j",)),
        ).signature
        for own in ("v1", "v2", "v1")
    )
    assert one == again != two

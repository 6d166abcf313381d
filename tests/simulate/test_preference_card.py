from __future__ import annotations

from dataclasses import replace

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.simulate._funnel import Funnel
from assize.simulate._preference_card import by_question, card
from assize.simulate._preference_data import PreferenceData

QUESTIONS = [
    Question(one, kind="preference", answers=("A", "B", "tie")) for one in ("Accuracy", "Overall")
]


def votes(answers: dict[str, str]) -> JudgmentTable:
    rows = [
        Judgment(item, judge, question.id, answer, order=order, kind="model")
        for item, answer in answers.items()
        for judge in ("x", "y")
        for question in QUESTIONS
        for order in ("AB", "BA")
    ]
    return JudgmentTable.of(rows, QUESTIONS)


def test_votes_are_counted_by_question_judge_and_majority() -> None:
    table = by_question(votes({"1": "A", "2": "tie"}))
    assert table.rows == [
        (question, judge, 1, 0, 1, 0)
        for question in ("Accuracy", "Overall")
        for judge in ("x", "y", "majority")
    ]


def test_the_card_holds_every_count_and_setting() -> None:
    funnel = Funnel()
    funnel.add("given", "conversations", 7)
    funnel.add("hold together", "conversations", 5, {"do not hold together": 2})
    side = (Turn("user", "?"), Turn("assistant", "."))
    systems = {"systems": {"A": "m|1", "B": "n"}}
    data = PreferenceData(
        records=[Pair("1", (), side, side, True, metadata=systems)],
        judgments=votes({"1": "A"}),
        steps=funnel.stages,
        question="Overall",
        labels={"1": "A"},
        votes={"x": {"1": "A"}, "y": {"1": "A"}},
        unscored=2,
        n=30,
        reasons={"refused": 2},
        signature="s1g",
    )
    text = card(data, {"seed": 3, "judges": {"x": "abc"}})
    for said in (
        "1 pairs of dialogues: 1 A, 0 B, 0 tie, by Overall",
        "2 do not hold together",
        "30 answers were asked for; 2 are missing",
        "- 2: refused",
        '"seed": 3',
        "s1g",
        "synthetic",
        "How far judges vote alike",
        "Votes by question",
    ):
        assert said in text, said
    assert r"m\|1" in text  # a name cannot break the table
    plain = card(replace(data, judgments=None, votes={}), {})
    assert "Votes by question" not in plain

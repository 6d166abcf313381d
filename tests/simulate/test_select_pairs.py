from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.simulate.voted_pairs import order_votes, pair

from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.simulate._funnel import Funnel
from assize.simulate._preference_data import PreferenceData
from assize.simulate._select_pairs import filter_texts, select_pairs
from assize.simulate._settings import ALL


def table(
    spec: dict[str, str], judges: Sequence[str] = "xy", question: str = "Overall"
) -> JudgmentTable:
    """By pair two letters a judge, the votes in AB and in BA: A, B, T."""
    letters = {
        item: {judge: cast[2 * place : 2 * place + 2] for place, judge in enumerate(judges)}
        for item, cast in spec.items()
    }
    return JudgmentTable.of(order_votes(letters, question))


def select(
    pairs: list[Pair], votes: JudgmentTable | None = None, apart: bool = False, **steps: Any
) -> tuple[Any, Funnel]:
    funnel, data = Funnel(), PreferenceData(records=pairs, judgments=votes)
    rng, choice = np.random.default_rng(0), replace(ALL, **steps)
    return select_pairs(data, choice, rng, funnel, apart=apart), funnel


def ids(pairs: Iterable[Pair]) -> list[str]:
    return [pair.id for pair in pairs]


def test_texts_alone_can_be_filtered() -> None:
    pairs = [
        pair("short", rounds=1),
        pair("fits"),
        pair("thanks", said="Thanks!"),
        pair("uneven", b=14),
    ]
    funnel = Funnel()
    found = filter_texts(pairs, funnel, turns=(2, 10), drop_trivial=True, words=10)
    assert ids(found) == ["fits"]
    assert [(one.step, one.left) for one in funnel.stages] == [
        ("2 to 10 turns", 3),
        ("no trivial turn", 2),
        ("within 10 words", 1),
    ]


def test_both_sides_must_have_the_turns_and_the_context_counts() -> None:
    one, short = pair("p", rounds=3), pair("r", rounds=1)
    longer, led = Pair("q", (), one.a, one.b[:2]), Pair("s", short.a, short.a, short.b)
    assert ids(filter_texts([one, longer, short, led], Funnel(), turns=(2, 3))) == ["p", "s"]


def test_votes_on_pairs_that_go_go_with_them() -> None:
    votes = table({"p": "AAAA", "q": "BBBB", "elsewhere": "AAAA"})
    found, _ = select([pair("p")], votes)
    assert found.judgments.items == ("p",)
    assert found.labels == {"p": "A"}
    assert found.votes == {"x": {"p": "A"}, "y": {"p": "A"}}


def test_consistency_of_every_judge() -> None:
    votes = table({"p": "AAAA", "q": "AAAB", "r": "ABBA"})
    pairs = [pair(one) for one in "pqr"]
    every, funnel = select(pairs, votes, consistent=True)
    assert ids(every) == ["p"]
    assert (funnel.stages[0].gone, funnel.stages[0].votes) == (
        {"not consistent": 2},
        {"votes changed": 3},
    )
    assert [one.changed for one in every.consistency] == [1, 2]


def test_consistency_on_named_questions_or_all() -> None:
    votes = JudgmentTable.concat(
        [table({"p": "AA", "q": "AA"}, "x"), table({"p": "TT", "q": "AB"}, "x", "Safety")]
    )
    pairs = [pair("p"), pair("q")]
    assert ids(select(pairs, votes, consistent=True)[0]) == ["p", "q"]
    for on in ("all", "Safety", "Overall, Safety"):
        found, _ = select(pairs, votes, consistent=True, consistent_on=on)
        assert ids(found) == ["p"]
    with pytest.raises(ConfigError, match="no votes on 'Wit'; preferences that were asked"):
        select(pairs, votes, consistent=True, consistent_on="Wit")


def test_judges_of_what_they_wrote_lose_those_votes_alone() -> None:
    wrote = {"systems": {"A": "openai:x", "B": "openai:z"}}
    votes = table({"p": "AAAA", "q": "BBBB", "r": "AAAA"}, judges=("io@a:x", "io@a:y"))
    pairs = [pair("p", metadata=wrote), pair("q")]
    found, funnel = select(pairs, votes, apart=True)
    assert {(row.item, row.judge) for row in found.judgments} == {
        ("p", "io@a:y"),
        ("q", "io@a:x"),
        ("q", "io@a:y"),
    }
    assert funnel.stages[0].gone == {"pairs that io@a:x wrote a side of": 1}
    alone = votes.where(judge="io@a:x")
    left, _ = select(pairs, alone, apart=True)
    assert ids(left) == ["q"]


def spread(a: int, b: int, tie: int) -> tuple[list[Pair], JudgmentTable]:
    spec = {f"a{n}": "AAAA" for n in range(a)} | {f"b{n}": "BBBB" for n in range(b)}
    spec |= {f"t{n}": "TTTT" for n in range(tie)}
    return [pair(one) for one in spec], table(spec)


def test_a_balance_takes_pairs_out_and_says_how_many() -> None:
    pairs, votes = spread(9, 6, 2)
    found, funnel = select(pairs, votes, balance="40/40/20")
    assert len(found.records) == 10
    assert sorted(found.labels.values(), key=str).count("A") == 4
    assert funnel.stages[-1].gone == {"labelled A": 5, "labelled B": 2}
    assert set(found.judgments.items) == set(ids(found))


def test_a_judge_s_labels_may_be_balanced_and_pairs_without_one_go() -> None:
    votes = table({"p": "AABB", "q": "BBBB", "r": "TTAA", "s": "ABAA"})
    pairs = [pair(one) for one in "pqrsu"]
    found, funnel = select(pairs, votes, label="x", balance="1/1/1")
    assert found.labels["p"] == "A"
    assert funnel.stages[-1].gone["without a label"] == 1
    with pytest.raises(ConfigError, match="no judge 'z' votes on Overall; there are x, y"):
        select(pairs, votes, label="z", balance="1/1/1")


def test_people_vote_in_no_order_and_each_vote_counts() -> None:
    votes = JudgmentTable.of(
        [
            Judgment("p", judge, "preference", answer=vote, kind="person")
            for judge, vote in (("x", "A"), ("y", "A"), ("z", "B"))
        ]
    )
    assert select([pair("p")], votes)[0].labels == {"p": "A"}


@pytest.mark.parametrize("step", [{"balance": "40/40/20"}, {"consistent": True}, {"apart": True}])
def test_steps_that_need_votes_say_so(step: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="these steps need votes"):
        select([pair("p")], None, **step)
    with pytest.raises(DataError, match="no vote is on any of these 1 pairs"):
        select([pair("p")], table({"q": "AAAA"}), **step)

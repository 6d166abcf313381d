from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from assize.base.conversation import Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Order
from assize.judgments import JudgmentTable
from assize.simulate._funnel import Funnel
from assize.simulate._select_pairs import Selected, Selecting, how_combined, select_pairs


def pair(
    id: str, said: str = "How so?", a: int = 3, b: int = 3, rounds: int = 2, **more: Any
) -> Pair:
    sides = [
        tuple(
            t
            for _ in range(rounds)
            for t in (Turn("user", said), Turn("assistant", f"{who} " * size))
        )
        for who, size in (("one", a), ("two", b))
    ]
    return Pair(id, (), sides[0], sides[1], True, **more)


def table(
    spec: dict[str, str], judges: Sequence[str] = "xy", question: str = "Overall"
) -> JudgmentTable:
    """By pair two letters a judge, the votes in AB and in BA: A, B, T."""
    answers = {"A": "A", "B": "B", "T": "tie"}
    orders: tuple[tuple[int, Order], ...] = ((0, "AB"), (1, "BA"))
    return JudgmentTable.of(
        Judgment(item, judge, question, answer=answers[cast[2 * at + to]], order=order)
        for item, cast in spec.items()
        for at, judge in enumerate(judges)
        for to, order in orders
    )


def select(
    pairs: list[Pair], votes: JudgmentTable | None = None, **steps: Any
) -> tuple[Selected, Funnel]:
    funnel = Funnel()
    rng = np.random.default_rng(0)
    return select_pairs(pairs, votes, Selecting(**steps), rng, funnel), funnel


def ids(found: Selected) -> list[str]:
    return [one.id for one in found.pairs]


def test_texts_alone_can_be_filtered() -> None:
    pairs = [
        pair("short", rounds=1),
        pair("fits"),
        pair("thanks", said="Thanks!"),
        pair("uneven", b=14),
    ]
    found, funnel = select(pairs, turns=(2, 10), trivial=True, words=10)
    assert ids(found) == ["fits"]
    assert found.table is None
    assert [(one.step, one.left) for one in funnel.stages] == [
        ("2 to 10 turns", 3),
        ("no trivial turn", 2),
        ("within 10 words", 1),
    ]


def test_both_sides_must_have_the_turns() -> None:
    one = pair("p", rounds=3)
    longer = Pair("q", (), one.a, one.b[:2])
    assert ids(select([one, longer], turns=(2, 3))[0]) == ["p"]


def test_the_context_counts_as_turns() -> None:
    one = pair("p", rounds=1)
    assert ids(select([Pair("q", one.a, one.a, one.b)], turns=(2, 2))[0]) == ["q"]


def test_votes_on_pairs_that_go_go_with_them() -> None:
    votes = table({"p": "AAAA", "q": "BBBB", "elsewhere": "AAAA"})
    found, _ = select([pair("p"), pair("q", b=99)], votes, words=10)
    assert found.table is not None
    assert found.table.items == ("p",)
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
    for on in (("all",), ("Safety",), ("Overall", "Safety")):
        found, _ = select(pairs, votes, consistent=True, consistent_on=on)
        assert ids(found) == ["p"]
    with pytest.raises(ConfigError, match="no votes on 'Wit'; preferences that were asked"):
        select(pairs, votes, consistent=True, consistent_on=("Wit",))


def test_judges_of_what_they_wrote_lose_those_votes_alone() -> None:
    wrote = {"systems": {"A": "openai:x", "B": "openai:z"}}
    votes = table({"p": "AAAA", "q": "BBBB", "r": "AAAA"}, judges=("io@a:x", "io@a:y"))
    pairs = [pair("p", metadata=wrote), pair("q")]
    found, funnel = select(pairs, votes, apart=True)
    assert found.table is not None
    assert {(row.item, row.judge) for row in found.table} == {
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
    found, funnel = select(pairs, votes, balance=(0.4, 0.4, 0.2))
    assert len(found.pairs) == 10
    assert sorted(found.labels.values(), key=str).count("A") == 4
    assert funnel.stages[-1].gone == {"labelled A": 5, "labelled B": 2}
    assert found.table is not None
    assert set(found.table.items) == set(ids(found))


def test_a_judge_s_labels_may_be_balanced_and_pairs_without_one_go() -> None:
    votes = table({"p": "AABB", "q": "BBBB", "r": "TTAA", "s": "ABAA"})
    pairs = [pair(one) for one in "pqrsu"]
    found, funnel = select(pairs, votes, label="x", balance=(1.0, 1.0, 1.0))
    assert found.labels["p"] == "A"
    assert funnel.stages[-1].gone["without a label"] == 1
    with pytest.raises(ConfigError, match="no judge 'z'"):
        select(pairs, votes, label="z", balance=(1.0, 1.0, 1.0))


def test_the_label_can_be_written_as_gold() -> None:
    votes = table({"p": "AAAA", "q": "BBBB"})
    pairs = [pair("p", gold={"Safety": "tie"}), pair("q"), pair("r", gold="A")]
    found, _ = select(pairs, votes, gold=True)
    assert [one.gold for one in found.pairs] == [
        {"Safety": "tie", "Overall": "A"},
        {"Overall": "B"},
        "A",
    ]
    (one,) = select([pair("p")], table({"p": "BBBB"}, question="preference"), gold=True)[0].pairs
    assert one.gold == "B"


def test_a_sample_is_drawn_in_the_order_of_the_pairs() -> None:
    pairs = [pair(f"p{n:02}") for n in range(30)]
    found, _ = select(pairs, sample=10)
    assert len(found.pairs) == 10
    assert ids(found) == sorted(ids(found))
    assert len(select(pairs, sample=99)[0].pairs) == 30


def test_people_vote_in_no_order_and_each_vote_counts() -> None:
    votes = JudgmentTable.of(
        [
            Judgment("p", judge, "preference", answer=vote, kind="person")
            for judge, vote in (("x", "A"), ("y", "A"), ("z", "B"))
        ]
    )
    assert how_combined(votes) == "mean"
    assert select([pair("p")], votes, gold=True)[0].pairs[0].gold == "A"


@pytest.mark.parametrize(
    "step", [{"balance": (0.4, 0.4, 0.2)}, {"consistent": True}, {"apart": True}, {"gold": True}]
)
def test_steps_that_need_votes_say_so(step: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="these steps need votes"):
        select([pair("p")], None, **step)
    with pytest.raises(DataError, match="no vote is on any of these pairs"):
        select([pair("p")], table({"q": "AAAA"}), **step)

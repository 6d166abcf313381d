from __future__ import annotations

import json

from assize.base.conversation import Pair, Turn
from assize.judging.usage_total import UsageTotal
from assize.simulate._funnel import Funnel
from assize.simulate._majority import LabelCounts
from assize.simulate._preference_data import PreferenceData
from assize.simulate._vote_consistency import JudgeConsistency


def data() -> PreferenceData:
    funnel = Funnel()
    funnel.add("given", "pairs", 3)
    side, longer = (Turn("assistant", "a b"),), (Turn("assistant", "a b c d"),)
    pairs = [Pair("p", (), side, longer), Pair("q", (), side, side), Pair("r", (), side, side * 2)]
    return PreferenceData(
        records=pairs,
        steps=funnel.stages,
        question="Overall",
        labels={"p": "A", "q": None},
        votes={"x": {"p": "A", "q": None}},
        consistency=[JudgeConsistency("x", 3, 1, 1, 1)],
        unscored=2,
        n=9,
        reasons={"timeout": 2},
        spent=UsageTotal(calls=4),
        notes=["a word"],
        outputs={"pairs.jsonl": 3},
        interrupted=True,
        signature="abc",
    )


def test_every_count_is_shown() -> None:
    found = data()
    assert list(found.tables) == ["steps", "preferences", "turns", "consistency"]
    assert found.preferences == [LabelCounts("x", 1, 0, 0, 1), LabelCounts("label", 1, 0, 0, 1)]
    assert found.shares == {"A": 1, "B": 0, "tie": 0, "none": 1}
    assert len(found) == 3
    assert found.missing == (2, 9)
    assert found.unfinished[0].startswith("interrupted")
    told = json.loads(json.dumps(found.to_json()))
    row = {"judge": "x", "a": 1, "b": 0, "tie": 0, "unscored": 1}
    assert told["preferences"][0] == row
    assert told["consistency"][0]["changed"] == 1
    assert told["steps"][0]["left"] == 3
    assert list(PreferenceData(records=[]).tables) == []

"""Studying methods from judgments and labels, in memory and from files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.criteria.test_select import CHATS, FOUR, POOL, ROWS, TABLE
from with_settings import with_settings

import assize
from assize.base.errors import AssizeError, DataError
from assize.base.judgment import Judgment, Question
from assize.criteria._criterion import CriteriaSet, Criterion
from assize.criteria._reading import criteria_text

SMALL = replace(POOL, criteria=(POOL.criteria[5], POOL.criteria[11]))
NEW = CriteriaSet("new", (Criterion("n0", "Nobody scored it.", "sat"),))
OTHER = CriteriaSet("other", (Criterion("s0", "Another statement.", "sat"), POOL.criteria[11]))


def studied(**given: Any) -> Any:
    asked: dict[str, Any] = {
        "method": {"ours": POOL, "hand": SMALL},
        "label": "thumbs:up=1,down=0",
        "items": CHATS,
        "sat": 2,
        "dsat": 2,
        "resamples": 50,
        "quiet": True,
    }
    return assize.study.criteria(
        TABLE, **with_settings(assize.study.criteria, **{**asked, **given})
    )


def test_methods_are_compared_on_conversations_that_none_was_chosen_on() -> None:
    found = studied(policy=["rubicon", "ucb"])
    assert [row.method for row in found.rows[::2]] == ["ours", "hand"]
    assert studied().policies == ["rubicon"]
    more = studied(preset="paper", splits=2, weight=5.0, precision=0.8, judges="bot")
    assert len(more.rows) == 2
    assert sorted(found.row("ours").chosen[0]) == ["d0", "d1", "s0", "s1"]
    less = next(row for row in found.differences if (row.method, row.less) == ("hand", "ours"))
    assert less.delta_netsat.estimate < 0
    assert list(found.tables) == ["rows", "differences"]
    assert "policy" in found.to_pandas("rows")
    assert r"\begin{tabular}" in found.to_latex("rows")
    assert "<table" in found._repr_html_()
    assert found.notes[0].startswith("labels by thumbs:up=1,down=0: 30 good")


def test_files_give_the_same(tmp_path: Path) -> None:
    for name, one in (("ours", POOL), ("hand", SMALL)):
        (tmp_path / f"{name}.yaml").write_text(criteria_text(one))
    assize.write(tmp_path / "run.jsonl", TABLE)
    found = assize.study.criteria(
        tmp_path / "run.jsonl",
        method={n: str(tmp_path / f"{n}.yaml") for n in ("ours", "hand")},
        label="thumbs:up=1,down=0",
        items=CHATS,
        choice=FOUR,
        statistics=assize.Statistics(resamples=50),
    )
    assert found.to_json()["rows"] == studied().to_json()["rows"]


def test_a_method_may_have_judgments_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="ours and other both have a criterion s0, and they are"):
        studied(method={"ours": POOL, "other": OTHER})
    rows = [replace(row, answer="Agree") for row in ROWS if row.question == "s0"]
    rows += [row for row in ROWS if row.question == "d5"]
    own = assize.JudgmentTable.of(rows, [one.question() for one in OTHER.criteria])
    assize.write(tmp_path / "own.jsonl", own)
    method = {"ours": POOL, "other": OTHER}
    found = studied(method=method, scored={"other": str(tmp_path / "own.jsonl")})
    assert found.row("other").size == 2


@pytest.mark.parametrize("several", [True, False])
def test_people_who_labelled_are_compared_where_they_labelled_the_same(
    tmp_path: Path, several: bool
) -> None:
    rng = np.random.default_rng(0)
    asked = Question("overall", "How good?", "ordinal", ("1", "2", "3"), (1.0, 2.0, 3.0))
    rows = [
        Judgment(
            f"c{n}",
            f"p{k}",
            "overall",
            answer=str(3 - 2 * (n % 2)) if rng.random() < 0.9 else "2",
            kind="person",
        )
        for n in range(60)
        for k in (range(3) if several else [n % 3])
    ]
    assize.write(tmp_path / "people.jsonl", assize.JudgmentTable.of(rows, [asked]))
    found = studied(label=f"overall>=2.5@{tmp_path / 'people.jsonl'}")
    assert (found.agreement is not None) is several
    if several:
        table = found.tables["agreement of labels"]
        assert table.title == "Agreement of the people who labelled"
        assert "alpha (nominal)" in str(table)
    else:
        assert "each conversation was labelled by one person" in found.notes[-1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"label": {"c0": 1, "c2": 1}}, "all 2 labelled conversations are good"),
        ({"label": {f"c{n}": 1 - n % 2 for n in range(5)}}, "3 of 5 conversations are good"),
        ({"policy": "luck"}, "policy luck: allowed are rubicon, correctness"),
        ({"method": {}}, "no method is given; name one"),
        ({"method": {"x": OTHER, "ours": "nowhere.yaml"}}, "nowhere.yaml"),
        ({"scored": {"SPUR": "run.jsonl"}}, "scored names SPUR, which is no method: ours, hand"),
        ({"splits": 0}, "splits: received 0, allowed is 1 to 1000"),
        ({"precision": 0.1}, "precision: received 0.1"),
        ({"judges": "eve"}, "no judge 'eve' among these judgments; there are bot"),
        ({"sat": 0, "dsat": 0}, "give at least one"),
        ({"method": {"ours": POOL, "new": NEW}}, "new: no judgment is about any of the 1 criteria"),
    ],
)
def test_what_cannot_be_studied_is_told(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssizeError, match=said):
        studied(**given)


def test_users_are_in_one_half_with_all_their_conversations() -> None:
    chats = [
        replace(one, metadata={**one.metadata, "user": f"u{at // 3}"})
        for at, one in enumerate(CHATS)
    ]
    found = studied(items=chats, cluster="user")
    assert any("60 conversations of 20 clusters by user" in one for one in found.notes)
    assert sum(found.test.values()) % 3 == 0

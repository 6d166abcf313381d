"""Selecting criteria from judgments and labels, in memory and from files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from with_settings import with_settings

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import AssizeError, ConfigError
from assize.base.judgment import Judgment, Unscored
from assize.criteria import CriteriaChoice
from assize.criteria._criterion import LIKERT, CriteriaSet, Criterion
from assize.criteria._reading import criteria_text, load_criteria

POOL = CriteriaSet(
    "pool",
    (
        *(Criterion(f"s{n}", f"The assistant does {n}.", "sat") for n in range(6)),
        *(Criterion(f"d{n}", f"The user meets {n}.", "dsat") for n in range(6)),
    ),
)
FOUR = CriteriaChoice(sat=2, dsat=2)
TRUE = {"s0", "s1", "d0", "d1"}


def world(n: int = 60, seed: int = 0) -> tuple[list[Conversation], list[Judgment]]:
    """Conversations with thumbs, and a judge whose answers to `TRUE` follow them."""
    rng = np.random.default_rng(seed)
    chats, rows = [], []
    for at in range(n):
        good = at % 2 == 0
        turns = (Turn("user", "Hi"), Turn("assistant", "Hello"))
        chats.append(Conversation(f"c{at}", turns, metadata={"thumbs": "up" if good else "down"}))
        for one in POOL.criteria:
            lean = (1 if good == one.sat else -1) * (one.id in TRUE)
            place = int(np.clip(np.round(2 + lean + rng.normal(0, 0.9)), 0, 4))
            rows.append(Judgment(f"c{at}", "bot", one.id, answer=LIKERT[place]))
    return chats, rows


CHATS, ROWS = world()
TABLE = assize.JudgmentTable.of(ROWS, [one.question() for one in POOL.criteria])


def selected(pool: Any = POOL, table: Any = TABLE, **given: Any) -> Any:
    asked = {"label": "thumbs:up=1,down=0", "items": CHATS, "sat": 2, "dsat": 2} | given
    return assize.criteria.select(pool, table, **with_settings(assize.criteria.select, **asked))


def scored(rows: list[Judgment]) -> assize.JudgmentTable:
    return assize.JudgmentTable.of(rows, TABLE.questions.values())


def test_criteria_that_tell_the_classes_apart_are_chosen() -> None:
    found = selected(stability=10)
    assert {one.id for one in found.chosen} == TRUE
    assert all(one.separation > 1 for one in found.chosen)
    assert all(one.survives > 0.5 for one in found.chosen)
    assert (found.pool, found.good, found.n) == (12, 30, 60)
    value = found.to_json()
    assert [one["n"] for one in value["labels"]["values"]] == [30, 30]
    assert value["figures"][1]["accuracy"]["n"] == 60


def test_the_set_carries_what_makes_labels_of_scores() -> None:
    found = selected()
    labelling = found.criteria.labelling
    middle = (found.nets[::2].mean() + found.nets[1::2].mean()) / 2
    assert labelling.threshold == pytest.approx(middle, abs=1e-5)
    assert labelling.low <= labelling.high
    assert labelling.slope > 0
    assert (labelling.n, labelling.good, labelling.precision) == (60, 30, 0.9)
    assert not found.criteria.edited


def test_the_set_names_the_model_and_scale_of_its_scores() -> None:
    judge = "criteria@pool.yaml@hf:m"
    rows = [
        replace(row, judge=judge, answer=str(2 * LIKERT.index(row.answer or ""))) for row in ROWS
    ]
    table = assize.JudgmentTable.of(rows, [one.question("numeric") for one in POOL.criteria])
    found = selected(table=table).criteria
    assert (found.model, found.scale, found.edited) == ("hf:m", "numeric", False)
    assert selected().criteria.model is None


def test_the_file_is_read_back_as_the_set(tmp_path: Path) -> None:
    pool, judgments, out = tmp_path / "pool.yaml", tmp_path / "run.jsonl", tmp_path / "out.yaml"
    pool.write_text(criteria_text(POOL))
    assize.write(judgments, TABLE)
    labels = tmp_path / "labels.csv"
    labels.write_text("id,label\n" + "".join(f"c{n},{1 - n % 2}\n" for n in range(60)))
    found = assize.criteria.select(pool, judgments, label=str(labels), choice=FOUR, out=out)
    assert load_criteria(str(out)) == found.criteria == selected().criteria
    assert found.notes[-1] == f"{out}: 4 criteria"


def test_the_pool_is_not_written_over(tmp_path: Path) -> None:
    pool = tmp_path / "criteria.yaml"
    pool.write_text(criteria_text(POOL))
    for given in (pool, tmp_path):
        with pytest.raises(ConfigError, match="out is the pool itself"):
            assize.criteria.select(given, TABLE, label="thumbs", items=CHATS, out=pool)
    assert len(load_criteria(str(pool)).criteria) == 12


@pytest.mark.parametrize("policy", ["rubicon", "correctness", "brute-force", "ucb"])
def test_every_policy_spends_the_budgets_and_chooses_by_seed(policy: str) -> None:
    one, two = (selected(policy=policy, dsat=1, weight=1.0, seed=3) for _ in range(2))
    assert sorted(criterion.id[0] for criterion in one.chosen) == ["d", "s", "s"]
    assert one.to_json() == two.to_json()
    assert one.to_json()["policy"] == policy


@pytest.mark.parametrize(
    "given",
    [
        {"prevalence": 0.2},
        {"precision": 0.8},
        {"preset": "paper"},
        {"judges": "bot"},
        {"label": {f"c{n}": n % 2 == 0 for n in range(60)}},
        {"weight": 20.0},
    ],
)
def test_options_are_taken(given: dict[str, Any]) -> None:
    assert len(selected(**given).chosen) == 4


def test_what_is_unscored_is_neutral_or_left_out_and_told() -> None:
    lost = {("s5", f"c{n}") for n in range(45)} | {("s0", "c3")}
    rows = [
        replace(row, answer=None, unscored=Unscored("parse"))
        if (row.question, row.item) in lost
        else row
        for row in ROWS
    ]
    found = selected(table=scored(rows))
    assert "left out, for too few conversations are scored on them: s5 (45 of 60)" in found.notes
    assert "1 of 660 scores are missing: taken as neutral" in found.notes
    assert next(one for one in found.chosen if one.id == "s0").unscored == 1
    more = replace(POOL, criteria=(*POOL.criteria, Criterion("new", "Nobody scored it.", "sat")))
    assert any("left out, for too few" in note and "new" in note for note in selected(more).notes)


def test_conversations_without_label_or_score_are_told() -> None:
    labels = {f"c{n}": n % 2 == 0 for n in range(50)}
    found = selected(label=labels)
    assert "10 scored conversations have no label, and are left out" in found.notes
    chats = [*CHATS, Conversation("new", CHATS[0].turns, metadata={"thumbs": "up"})]
    assert "1 labelled conversations are not scored, and left out" in selected(items=chats).notes


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"label": {"c0": 1, "c2": 1}}, "all 2 labelled conversations are good"),
        (
            {"label": {"c0": 1, "c1": 0, "c3": 0}},
            "1 of 3 conversations are good; at least 2 of",
        ),
        ({"label": {"x": 1, "y": 0}}, "none of the 2 conversations that the labels name is here"),
        ({"label": "tumbs"}, "no item has the field 'tumbs'; there are thumbs"),
        ({"policy": "luck"}, "policy luck: allowed are rubicon, correctness"),
        ({"precision": 1.2}, "precision: received 1.2, allowed is 0.5 to 1"),
        ({"judges": "eve"}, "no judge 'eve' among these judgments; there are bot"),
        ({"sat": 0, "dsat": 0}, "give at least one"),
        ({"weight": -1.0}, "weight: received -1.0, allowed is at least 0"),
        ({"prevalence": 0.0}, "prevalence is 0.0; it must lie between 0 and 1"),
        ({"pool": 5}, "give a file of criteria or a CriteriaSet"),
        (
            {"table": scored([replace(row, answer="Agree") for row in ROWS])},
            "all 60 conversations get the same scores",
        ),
    ],
)
def test_what_cannot_be_selected_from_is_told(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssizeError, match=said):
        selected(**given)


def test_conversations_of_one_user_stay_together() -> None:
    chats = [
        replace(one, metadata={**one.metadata, "user": f"u{at // 3}"})
        for at, one in enumerate(CHATS)
    ]
    found = selected(items=chats, cluster="user", stability=3)
    assert any("60 conversations of 20 clusters by user" in one for one in found.notes)

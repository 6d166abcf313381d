from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import Unfair

import assize
from assize import Judgment, JudgmentTable, Question
from assize.base.errors import AssizeError
from assize.calibrate._results.rated import AuditResult


def audit(world: Unfair, **how: Any) -> AuditResult:
    """Of held ratings, one by a stranger and one about what has no answers."""
    more = [
        Judgment("i899", "eve", "Q0", answer="1", kind="person"),
        Judgment("nothing", "ann", "Q0", answer="1", kind="person"),
    ]
    ratings = JudgmentTable.concat([world.ratings["held"], JudgmentTable.of(more)])
    return assize.calibrate.audit(world.fitted, world.answers, ratings, **how)


def test_an_audit_finds_the_group_that_is_misjudged(unfair: Unfair) -> None:
    by = ["metadata.language", "system", "rater"]
    found = audit(unfair, items=unfair.chats, by=by).to_json()
    groups = {(one["field"], one["group"]): one for one in found["groups"]}
    german = groups["metadata.language", "de"]
    assert german["bias"]["estimate"] > 0.4
    assert german["bias_p_holm"] < 0.001
    assert groups["system", "s0"]["bias_p_holm"] > 0.05
    assert groups["rater", "eve"]["n"] == 1
    assert groups["rater", "eve"]["bias_p_value"] is None
    assert groups["all", "all"]["n"] == 601
    assert found["unknown_raters"] == 1
    assert found["left_out"]["ratings_without_answers"] == 1
    assert audit(unfair, items=unfair.chats, by=by).to_json() == found


def test_a_table_stands_for_every_field(unfair: Unfair) -> None:
    found = audit(unfair, items=unfair.chats)
    assert {one.field for one in found.groups} == {"all", "rater", "system"}
    assert "ratings without answers: 1" in found.notes
    assert any("does not know them: 1 rater" in one for one in found.notes)
    assert {one.field for one in audit(unfair).groups} == {"all", "rater"}


def test_answers_without_order_are_audited_without_means(said: JudgmentTable) -> None:
    kinds = Question("q", kind="nominal", answers=("cat", "dog", "fox"))
    rng = np.random.default_rng(0)
    rated = JudgmentTable.of(
        [
            Judgment(f"i{n}", rater, "q", answer=str(rng.choice(kinds.answers)), kind="person")
            for n in range(60)
            for rater in ("10", "9", "x" * 40)
        ],
        [kinds],
    )
    fitted = assize.calibrate.fit(said, rated, target="q")
    found = assize.calibrate.audit(fitted, said, rated, in_sample=True)
    assert [one.group for one in found.groups] == ["all", "9", "10", "x" * 40]
    assert "rmse" not in found.to_json()["groups"][0]


@pytest.mark.parametrize(
    ("answers", "ratings", "how", "message"),
    [
        ("said", "held", {"by": "metadata.language"}, "give the conversations that have it as it"),
        ("said", "held", {"min_n": 1}, "min_n: received 1, allowed is at least 2"),
        ("said", "said", {}, "no judgment here is by a person"),
        ("held", "held", {}, "ratings by people; give a model's answers"),
    ],
)
def test_what_cannot_be_audited_is_refused(
    unfair: Unfair, answers: str, ratings: str, how: dict[str, Any], message: str
) -> None:
    tables = unfair.ratings | {"said": unfair.answers}
    with pytest.raises(AssizeError, match=message):
        assize.calibrate.audit(unfair.fitted, tables[answers], tables[ratings], **how)

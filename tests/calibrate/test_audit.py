from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import assize
from assize import Conversation, Judgment, JudgmentTable, Question, Turn
from assize.base.errors import ConfigError, DataError
from assize.calibrate import FittedCalibrator

ANSWERS = ("1", "2", "3", "4")
QUESTION = Question("Q0", kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4))


class World(NamedTuple):
    fitted: FittedCalibrator
    answers: JudgmentTable
    held: JudgmentTable
    chats: list[Conversation]


@pytest.fixture(scope="module")
def world() -> World:
    """A calibrator of two raters, and held ratings in which answers about German
    conversations are one lower."""
    rng = np.random.default_rng(0)
    answers: list[Judgment] = []
    seen: list[Judgment] = []
    held: list[Judgment] = []
    chats: list[Conversation] = []
    for n in range(400):
        p = rng.dirichlet(np.ones(4))
        shares = dict(zip(ANSWERS, p.tolist(), strict=True))
        answers.append(Judgment(f"i{n}", "m", "Q0", distribution=shares, kind="model"))
        german = n % 2 == 0
        about = {"language": "de" if german else "en"}
        chats.append(Conversation(f"i{n}", (Turn("user", "hello"),), f"s{n % 3}", about))
        for rater in ("ann", "bob"):
            given = int(rng.choice(4, p=p)) + 1
            if n >= 150 and german:
                given = max(1, given - 1)
            rows = seen if n < 150 else held
            rows.append(Judgment(f"i{n}", rater, "Q0", answer=str(given), kind="person"))
    held.append(Judgment("i399", "eve", "Q0", answer="1", kind="person"))
    held.append(Judgment("nothing", "ann", "Q0", answer="1", kind="person"))
    tables = [JudgmentTable.of(rows, [QUESTION]) for rows in (answers, seen, held)]
    fitted = assize.calibrate.fit(tables[0], tables[1], target="Q0")
    return World(fitted, tables[0], tables[2], chats)


def test_an_audit_finds_the_group_that_is_misjudged(world: World) -> None:
    by = ["metadata.language", "system", "rater"]
    three = world.fitted, world.answers, world.held
    audit = assize.calibrate.audit(*three, items=world.chats, by=by)
    found = audit.to_json()
    groups = {(one["field"], one["group"]): one for one in found["groups"]}
    german = groups["metadata.language", "de"]
    assert german["bias"]["estimate"] > 0.4
    assert german["bias_p_holm"] < 0.001
    assert groups["system", "s0"]["bias_p_holm"] > 0.05
    assert groups["rater", "eve"]["n"] == 1
    assert groups["rater", "eve"]["bias_p_value"] is None
    assert (groups["all", "all"]["n"], found["unknown_raters"]) == (501, 1)
    assert found["left_out"]["ratings_without_answers"] == 1
    assert assize.calibrate.audit(*three, items=world.chats, by=by).to_json() == found


def test_a_table_stands_for_every_field(world: World) -> None:
    audit = assize.calibrate.audit(world.fitted, world.answers, world.held, items=world.chats)
    assert {one.field for one in audit.groups} == {"all", "rater", "system"}
    assert "ratings without answers: 1" in audit.notes
    assert any("does not know them: 1 rater" in one for one in audit.notes)
    alone = assize.calibrate.audit(world.fitted, world.answers, world.held)
    assert {one.field for one in alone.groups} == {"all", "rater"}


def test_metadata_needs_conversations(world: World) -> None:
    with pytest.raises(DataError, match="give the conversations that have it as items"):
        assize.calibrate.audit(world.fitted, world.answers, world.held, by="metadata.language")


def test_a_group_of_one_cannot_be_tested(world: World) -> None:
    with pytest.raises(ConfigError, match="min_n: received 1, allowed is at least 2"):
        assize.calibrate.audit(world.fitted, world.answers, world.held, min_n=1)


def test_answers_without_order_are_audited_without_means() -> None:
    rng = np.random.default_rng(0)
    kinds = Question("q", kind="nominal", answers=("cat", "dog", "fox"))
    ordered = Question("z", kind="ordinal", answers=("1", "2"), values=(1, 2))
    said: list[Judgment] = []
    rated: list[Judgment] = []
    for n in range(60):
        for one in (kinds, ordered):
            p = rng.dirichlet(np.ones(len(one.answers))).tolist()
            shares = dict(zip(one.answers, p, strict=True))
            said.append(Judgment(f"i{n}", "m", one.id, distribution=shares, kind="model"))
        for rater in ("10", "9", "x" * 40):
            answer = kinds.answers[rng.integers(3)]
            rated.append(Judgment(f"i{n}", rater, "q", answer=answer, kind="person"))
    pair = JudgmentTable.of(said, [kinds, ordered]), JudgmentTable.of(rated, [kinds])
    fitted = assize.calibrate.fit(*pair, target="q")
    audit = assize.calibrate.audit(fitted, *pair, in_sample=True)
    heads = [column.name for column in audit.tables["groups"].texts()[0]]
    assert heads == ["group", "n", "unscored", "log loss", "ece", "p loss"]
    assert [one.group for one in audit.groups] == ["all", "9", "10", "x" * 40]
    assert "rmse" not in audit.to_json()["groups"][0]


def test_what_is_of_the_other_kind_is_named(world: World) -> None:
    with pytest.raises(DataError, match="no judgment here is by a person"):
        assize.calibrate.audit(world.fitted, world.answers, world.answers)
    with pytest.raises(DataError, match="ratings by people; give a model's answers"):
        assize.calibrate.audit(world.fitted, world.held, world.held)

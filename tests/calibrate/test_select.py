from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.calibrate.conftest import ANSWERS, QUESTIONS, rate

import assize
from assize import Conversation, Judgment, JudgmentTable, Turn
from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator

Q0 = QUESTIONS[0]
PROMPT = "^(.*)_"


@pytest.fixture(scope="module")
def said() -> JudgmentTable:
    """Answers about 20 prompts with three candidates each."""
    rng = np.random.default_rng(0)
    rows = []
    for n in range(60):
        shares = dict(zip(ANSWERS, rng.dirichlet(np.full(4, 0.3)).tolist(), strict=True))
        item = f"p{n // 3}_c{n % 3}"
        rows.append(Judgment(item, "m", "Q0", distribution=shares, kind="model"))
    return JudgmentTable.of(rows, [Q0])


@pytest.fixture(scope="module")
def fitted(said: JudgmentTable) -> FittedCalibrator:
    return assize.calibrate.fit(said, JudgmentTable.of(rate(said), [Q0]), target="Q0")


def test_one_candidate_a_group_is_chosen(
    said: JudgmentTable, fitted: FittedCalibrator, tmp_path: Path
) -> None:
    out = tmp_path / "chosen.jsonl"
    result = assize.calibrate.select(fitted, said, by=PROMPT, out=out)
    found = result.to_json()
    assert (found["groups"], found["chosen"], found["abstained"]) == (20, 20, 0)
    assert found["expected_gain"]["interval"][0] > 0
    table = assize.read_judgments([out])
    assert table.rows() == result.judgments.rows()
    assert len(table) == 60
    yes = [row.item for row in table if row.answer == "yes"]
    assert yes == [one["item"] for one in found["selections"]]
    for one in found["selections"]:
        rivals = [row for row in table if (row.details or {})["group"] == one["group"]]
        assert one["reward"] == max((row.details or {})["reward"] for row in rivals)


def test_long_names_are_broken_in_the_tables_and_whole_in_json(
    said: JudgmentTable, fitted: FittedCalibrator
) -> None:
    long = "a-conversation-with-an-id-as-long-as-they-come-"
    renamed = JudgmentTable.of([replace(row, item=long + row.item) for row in said], [Q0])
    selected = assize.calibrate.select(fitted, renamed, by=PROMPT)
    for result in (selected, assize.calibrate.next_ratings(fitted, renamed, count=3)):
        assert max(map(len, str(result).splitlines())) <= 80
        assert long in str(result.to_json())


def test_abstentions_are_counted_and_unscored(
    said: JudgmentTable, fitted: FittedCalibrator
) -> None:
    result = assize.calibrate.select(fitted, said, by=PROMPT, max_entropy=0.9, raters="bob")
    found = result.to_json()
    assert 0 < found["abstained"] < 20
    assert found["abstained"] + found["chosen"] == 20
    assert result.judgments.unscored == 3 * found["abstained"]
    assert f"groups abstained: {found['abstained']}" in str(result)


def test_groups_can_stand_in_the_metadata(said: JudgmentTable, fitted: FittedCalibrator) -> None:
    items = [
        Conversation(f"p{n // 3}_c{n % 3}", (Turn("user", "hi"),), metadata={"prompt": n // 3})
        for n in range(57)
    ]
    found = assize.calibrate.select(fitted, said, by="metadata.prompt", items=items)
    assert (len(found.selections), found.left_out) == (19, 3)
    assert found.notes[0] == "3 of 60 belong to no group and are left out"
    assert "Chosen candidates" in str(found)
    assert "p0_c" in str(found)
    with pytest.raises(ConfigError, match="give items"):
        assize.calibrate.select(fitted, said, by="metadata.prompt")

"""What two sources come to: shares, a test, themes."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from assize.base.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.reference._contrasts.result import (
    contrast_labels,
    name_themes,
)
from assize.reference._rating_sheets.form import COMPARED
from assize.reference._rating_sheets.workbook import Entry, Key
from assize.stats import share, sign_flip

TURNS = 6
ABOUT = {
    "sources": ["m1", "m2"],
    "question": "content",
    "seed": 0,
    "turns": TURNS,
    "differing": 9,
    "compared": 12,
    "higher": [4, 5],
}
KEY = Key(
    "phrasing",
    tuple(
        Entry(f"r{2 * at + side}", f"k{at}{source}", source, f"c{at // 2}", 1 + at % 2)
        for at in range(TURNS)
        for side, source in enumerate(("m1", "m2"))
    ),
    ABOUT,
)


def said(item: str, rater: str, **answers: str | None) -> list[Judgment]:
    """One person's cells of one row; None is an empty cell."""
    return [
        Judgment(item, rater, question, unscored=Unscored("missing"))
        if answer is None
        else Judgment(item, rater, question, answer=answer)
        for question, answer in answers.items()
    ]


def contrast(rows: list[Judgment], **more: Any) -> Any:
    return contrast_labels(KEY, JudgmentTable.of(rows, COMPARED.questions.values()), **more)


def planted(rater: str = "anna") -> list[Judgment]:
    """m1 sounds human at two turns of six and is always longer; m2 at five, and is the same."""
    rows = []
    for at in range(TURNS):
        rows += said(
            f"k{at}m1", rater, phrasing="human" if at < 2 else "template", difference="Longer"
        )
        rows += said(
            f"k{at}m2", rater, phrasing="template" if at == 0 else "human", difference="same"
        )
    return rows


BY_ANNA = contrast(planted())


def test_shares_and_the_test_have_conversations_as_units() -> None:
    one, other = (row.sounds_human for row in BY_ANNA.phrasing)
    expected = share([1, 1, 0, 0, 0, 0], clusters=["c0", "c0", "c1", "c1", "c2", "c2"])
    assert (one.estimate, one.interval, one.clusters) == (2 / 6, expected.interval, 3)
    assert other.estimate == 5 / 6
    gaps = [1, 0, -1, -1, -1, -1]
    assert BY_ANNA.difference[0].difference.estimate == pytest.approx(np.mean(gaps))
    flipped = sign_flip(gaps, clusters=[0, 0, 1, 1, 2, 2], rng=np.random.default_rng(0))
    assert BY_ANNA.difference[0].p == flipped.p_value


def test_several_raters_are_averaged_at_each_turn_and_their_agreement_told() -> None:
    found = contrast(planted() + planted("ben"))
    assert found.phrasing[0].sounds_human.n == 12
    assert found.difference[0].difference.n == 6
    assert found.agreement.estimate == 1.0
    assert found.headline["alpha between raters"][0].startswith("1.000")
    assert BY_ANNA.agreement is None


def test_empty_cells_are_unscored_and_a_turn_without_one_side_is_left_out() -> None:
    rows = [one for one in planted() if one.item != "k0m1"]
    rows += said("k0m1", "anna", phrasing=None, difference=None)
    found = contrast(rows)
    assert found.phrasing[0].sounds_human.unscored == 1
    gap = found.difference[0].difference
    assert (gap.n, gap.unscored) == (5, 1)
    assert found.themes[0].labels.unscored == 1
    assert found.missing == (1, 12)
    assert any("1 turns lack a label of one source" in one for one in found.notes)


def test_notes_are_themes_of_their_own_letter_case_aside() -> None:
    assert [(row.theme, row.source, row.labels.estimate) for row in BY_ANNA.themes] == [
        ("longer", "m1", 1.0),
        ("longer", "m2", 0.0),
        ("same", "m1", 0.0),
        ("same", "m2", 1.0),
    ]


def test_themes_of_people_come_before_their_notes() -> None:
    rows = said("k0m1", "anna", phrasing="human", difference="Longer", theme="Length; Tone")
    rows += said("k1m1", "anna", phrasing="human", difference="Longer")
    rows += said("k2m1", "anna", phrasing="human", difference="None")
    found = contrast(rows)
    assert [row.theme for row in found.themes[::2]] == ["length", "tone", "longer", "same"]
    assert found.themed == "themes by people"


def test_rare_themes_are_put_together() -> None:
    rows = []
    for at in range(TURNS):
        for source in ("m1", "m2"):
            note = "; ".join(f"theme {n}" for n in range(at + 1 if at < 5 else 15))
            rows += said(f"k{at}{source}", "anna", phrasing="human", difference=note)
    found = contrast(rows)
    assert len(found.themes) == 13 * 2
    assert found.themes[-1].theme == "other"
    assert found.themes[-2].labels.estimate == 1 / 6


def test_without_labels_there_are_no_figures() -> None:
    found = contrast(said("k0m1", "anna", phrasing=None))
    assert math.isnan(found.phrasing[0].sounds_human.estimate)
    assert math.isnan(found.difference[0].p)
    assert list(found.tables) == ["phrasing", "difference"]
    assert json.loads(json.dumps(found.to_json()))["difference"][0]["p"] is None


def test_the_signature_changes_with_what_was_said() -> None:
    assert BY_ANNA.signature == contrast(planted()).signature
    assert BY_ANNA.signature != contrast(planted("ben")).signature


@pytest.mark.parametrize(
    ("cell", "themes"),
    [
        *((text, ("same",)) for text in ("same", " Same. ", "no difference", "-")),
        ("same length, colder", ("same length, colder",)),
        (" Longer ;colder; longer;; ", ("longer", "colder")),
        (" ; ", ()),
    ],
)
def test_a_cell_holds_themes_or_says_that_nothing_differs(
    cell: str, themes: tuple[str, ...]
) -> None:
    assert name_themes(cell) == themes

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from letters import Letters
from scripts.default_evaluator.corpora import (
    PAIRS,
    RESPONSES,
    SOURCES,
    Reader,
    Table,
    number,
    one_rater,
    readable,
    source_file,
)

from assize.base.conversation import Continuation, Pair, Turn
from assize.base.judgment import Judgment
from assize.formats import write
from assize.formats.reading import iter_records

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
BARE = np.array(["", ""])


def test_a_target_is_a_weighted_mean_of_the_standardised_ratings_that_a_row_has() -> None:
    ratings = {"a": np.array([0.0, 2.0, 1.0]), "b": np.array([np.nan, 5.0, 7.0])}
    names = np.array(["", "", ""])
    target = Table(np.zeros((3, 1)), ratings, None, names, names).target({"a": 1.0, "b": -1.0})
    # a standardised is (-s, s, 0) with s = sqrt(3/2); b is (missing, -1, 1)
    step = np.sqrt(1.5)
    np.testing.assert_allclose(target, [-step, (step + 1) / 2, -0.5])


@pytest.mark.parametrize("name", SOURCES)
def test_the_published_files_read_as_the_recipe_expects(name: str) -> None:
    path = DATA / source_file(SOURCES[name])
    if not path.exists():
        pytest.skip(f"{path} is not here: the corpora are no part of the project")
    kinds = {"person": 0, "items": 0}
    for record in iter_records(readable(SOURCES[name], DATA)):
        if isinstance(record, Judgment):
            kinds["person"] += record.kind == "person"
        else:
            kinds["items"] += record.id.startswith(RESPONSES.get(name, ""))
    assert kinds["items"] > 100
    assert name in PAIRS or kinds["person"] > kinds["items"]


@pytest.mark.parametrize(
    ("question", "given", "expected"),
    [
        ("coherence", {"answer": "To some extent"}, 1.0),
        ("tutor_tone", {"answer": "Encouraging"}, 2.0),
        ("revealing_of_the_answer", {"answer": "No"}, 2.0),
        ("revealing_of_the_answer", {"answer": "Yes (and the answer is correct)"}, 0.0),
        ("overall", {"answer": "3"}, 3.0),
        ("q", {"score": 0.3}, 0.3),
        ("q", {}, np.nan),
    ],
)
def test_labels_and_scores_become_numbers(
    question: str, given: dict[str, Any], expected: float
) -> None:
    assert number(Judgment("i", "j", question, **given)) == pytest.approx(expected, nan_ok=True)


def test_ratings_stand_beside_their_responses(tmp_path: Path) -> None:
    records: list[Continuation | Judgment] = []
    for name, system, label in (("a-1", "x", "Yes"), ("b-1", "y", "No")):
        context = (Turn("user", "abc"),)
        records.append(Continuation(name, context, "bcd", conversation="g", source=system))
        records.append(Judgment(name, "gold", "coherence", answer=label, kind="person"))
    path = tmp_path / "responses.jsonl"
    write(path, records)
    reader = Reader(Letters())
    found = reader.responses(path, "")
    assert found.ratings["coherence"].tolist() == [2.0, 0.0]
    assert found.bots.tolist() == ["x", "y"]
    assert found.clusters.tolist() == ["g", "g"]
    assert reader.responses(path, "b").bots.tolist() == ["y"]


def test_every_third_item_is_read(tmp_path: Path) -> None:
    said = (Turn("user", "abc"),)
    path = tmp_path / "responses.jsonl"
    write(path, [Continuation(f"r{place}", said, "bcd") for place in range(7)])
    items, _ = Reader(Letters(), every=3).records(path)
    assert [item.id for item in items] == ["r0", "r3", "r6"]


def test_one_rater_is_compared_with_the_mean_of_the_others() -> None:
    ratings = {"a": (1, 2, 4), "b": (2, 5, 5), "c": (3, 1, 2), "d": (9,)}
    rated = [
        ((item, None), Judgment(item, f"r{place}", "q", score=float(value)))
        for item, own in ratings.items()
        for place, value in enumerate(own)
    ]
    units = [(item, None) for item in ratings]
    # 1, 2, 3 with 3, 5, 1.5: ranks 1, 2, 3 with 2, 3, 1
    assert one_rater(units, rated) == pytest.approx(-0.5)
    assert np.isnan(one_rater(units[3:], rated))


def test_pairs_have_two_sides_and_a_sign() -> None:
    a, b = ((Turn("assistant", text),) for text in ("abc", "ab"))
    context = (Turn("user", "a"),)
    pairs = [Pair("p", context, a, b, gold="A"), Pair("q", context, b, a, gold="B")]
    found = Reader(Letters()).sides(pairs)
    assert found.targets.tolist() == [1.0, -1.0]
    np.testing.assert_array_equal(found.a, found.b[::-1])

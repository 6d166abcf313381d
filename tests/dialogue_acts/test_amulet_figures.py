"""The figures of AMULET (arXiv 2505.20451, sections 3 and 4) on its released GPT-4o outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.conversation import Pair
from assize.dialogue_acts.study import ActStudy, OfActs, OfMaxims, study_all
from assize.dialogue_acts.taxonomy import load_taxonomy
from assize.formats import read, read_judgments
from assize.stats import Estimate

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "amulet-hh-test"
pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the research data stand beside the project, and are not here"
)


@pytest.fixture(scope="module")
def study() -> ActStudy:
    pairs = {one.id: one for one in read(DATA / "instances.jsonl") if isinstance(one, Pair)}
    table = read_judgments([DATA / "outputs-gpt4o.jsonl.gz"])
    (found,) = study_all(table, pairs, load_taxonomy())
    return found


@pytest.fixture(scope="module")
def acts(study: ActStudy) -> OfActs:
    assert study.acts is not None
    return study.acts


@pytest.fixture(scope="module")
def maxims(study: ActStudy) -> OfMaxims:
    assert study.maxims is not None
    return study.maxims


def percent(found: Estimate) -> float:
    return round(100 * found.estimate, 2)


def share(found: Estimate) -> float:
    return round(found.estimate, 3)


def test_all_460_items_are_valid(study: ActStudy) -> None:
    assert study.items == {"acts": 460, "maxims": 460}
    assert study.left_out == 0


def test_same_and_different_acts_crossed_with_who_satisfies_more_maxims(study: ActStudy) -> None:
    found = study.crossed
    assert found is not None
    assert (percent(found.same), percent(found.different)) == (22.83, 77.17)
    order = ("chosen", "rejected", "equal")
    assert [percent(found.cells["same", more]) for more in order] == [15.87, 4.35, 2.61]
    assert [percent(found.cells["different", more]) for more in order] == [59.13, 15.22, 2.83]


@pytest.mark.parametrize(
    ("role", "function", "dimension"), [("user", 0.795, 0.339), ("assistant", 0.792, 0.292)]
)
def test_changes_from_turn_to_turn(
    role: str, function: float, dimension: float, acts: OfActs
) -> None:
    assert share(acts.changes["function"][role].turns) == function
    assert share(acts.changes["dimension"][role].turns) == dimension


@pytest.mark.parametrize(
    ("role", "function", "dimension"), [("user", 0.961, 0.637), ("assistant", 0.917, 0.467)]
)
def test_changes_at_least_once(role: str, function: float, dimension: float, acts: OfActs) -> None:
    assert share(acts.changes["function"][role].once) == function
    assert share(acts.changes["dimension"][role].once) == dimension


def test_changes_across_responses(acts: OfActs) -> None:
    assert share(acts.across["function"]) == 0.772
    assert share(acts.across["dimension"]) == 0.367


def test_the_assistants_change_after_a_human_change(acts: OfActs) -> None:
    assert share(acts.following["function"]) == 0.827


def test_asymmetry_of_maxims(maxims: OfMaxims) -> None:
    assert round(maxims.asymmetry.estimate, 2) == 6.20


def test_one_label_in_a_thousand_is_hallucinated(acts: OfActs) -> None:
    assert round(acts.validity.hallucinated.estimate, 3) == 0.001
    assert "Accept Offer" in acts.validity.names


def test_the_second_vote_varies_far_less_than_a_comparison_by_place_says(acts: OfActs) -> None:
    found = acts.variation["function"]
    assert found.responses.estimate < 0.4 < 0.8 < found.as_published.estimate

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr
from tests.evaluator.talks import scores_of

from assize.base.artefacts import open_artefact
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.evaluator import load_evaluator
from assize.evaluator._adapting.adapting import adapt_heads
from assize.evaluator._adapting.reading import read_labels
from assize.evaluator._adapting.result import Outcome
from assize.evaluator._artefact import EVALUATOR, save
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._scoring import score
from assize.judgments import JudgmentTable


def fitted(world: Any, table: JudgmentTable, **more: Any) -> tuple[Evaluator, Any]:
    """The adapted evaluator, and what came of it."""
    given = read_labels([*world.items, *world.pairs], table, world.evaluator)
    adapted, (outcome,) = adapt_heads(world.evaluator, given, **more)
    return adapted, outcome


def order(world: Any, evaluator: Evaluator, f: float) -> float:
    """Spearman's correlation with what people say of conversations that were not labelled."""
    truth = [float(row.answer or 0) for row in world.ratings(400, 3, f=f)]
    return float(spearmanr(scores_of(evaluator, world.items[200:]), truth[200:])[0])


@pytest.fixture(scope="module")
def helped(world: Any) -> tuple[Evaluator, Outcome]:
    """What users value who like more than the evaluator knows."""
    return fitted(world, world.ratings(120, f=1.0))


def test_what_users_value_is_learnt_and_said_to_help(
    world: Any, helped: tuple[Evaluator, Outcome]
) -> None:
    adapted, outcome = helped
    assert outcome.verdict == "helped"
    assert outcome.used
    assert outcome.error_gain.interval[1] < 0
    before, after = order(world, world.evaluator, 1.0), order(world, adapted, 1.0)
    assert after > before + 0.1
    low, high = outcome.after.interval
    assert low - 0.1 < after < high + 0.1  # the cross-validated figure is that of new items


def test_a_good_evaluator_is_left_as_it_is(world: Any) -> None:
    adapted, outcome = fitted(world, world.ratings(60))
    assert not outcome.used
    assert scores_of(adapted, world.items[:5]) == scores_of(world.evaluator, world.items[:5])


@pytest.mark.nightly("fits eight evaluators")
def test_twenty_labels_do_no_harm_on_average(world: Any) -> None:
    before = order(world, world.evaluator, 0.0)
    lost = []
    for seed in range(8):
        table = world.ratings(200, seed)
        some = np.random.default_rng(seed).choice(200, 20, replace=False)
        chosen = {f"c{at}" for at in some}
        rows = [row for row in table if row.item in chosen]
        adapted, _ = fitted(world, JudgmentTable.of(rows, table.questions.values()))
        lost.append(order(world, adapted, 0.0) - before)
    assert np.mean(lost) > -0.02


def test_scores_stay_in_their_place_when_the_head_changes(
    world: Any, helped: tuple[Evaluator, Outcome]
) -> None:
    labelled, heads = world.items[:120], (world.evaluator, helped[0])
    before, after = (np.mean(scores_of(one, labelled)) for one in heads)
    assert after == pytest.approx(before, abs=0.06)
    others = [scores_of(one, labelled[:4], "other") for one in heads]
    assert others[0] == others[1]


def test_the_change_is_used_against_advice_only_when_asked(world: Any) -> None:
    for seed in range(12):
        table = world.ratings(400, seed)
        rows = [row for row in table if int(row.item[1:]) % 12 == seed]
        some = JudgmentTable.of(rows, table.questions.values())
        adapted, outcome = fitted(world, some)
        if outcome.verdict == "did not show that it helps":
            break
    else:
        pytest.fail("no draw in which a change was found and did not help")
    forced, other = fitted(world, some, always=True)
    assert [outcome.used, other.used] == [False, True]
    assert forced.signature != adapted.signature


def test_ratings_give_people_s_scale(world: Any) -> None:
    adapted, outcome = fitted(world, world.ratings(120))
    fit, scale = outcome.scale, adapted.main.scale
    assert scale is fit.scale
    assert (scale.low, scale.high, scale.n) == (1, 5, 120)
    assert fit.error.estimate < fit.constant.estimate
    assert scale(0.95) > scale(0.05) + 2


def test_preferences_of_pairs_teach_ties_and_the_head(world: Any) -> None:
    adapted, outcome = fitted(world, world.votes(100))
    assert (outcome.by, outcome.n) == ("pair", 100)
    assert adapted.main.ties == outcome.ties.rule
    rows = [row for row in score(world.pairs, evaluator=adapted) if row.question == "preference"]
    answers = zip(rows, world.votes(100), strict=True)  # in the order of the pairs
    right = np.mean([row.answer == given.answer for row, given in answers])
    assert right >= max(outcome.ties.accuracy.estimate - 0.1, 0.6)


def flat(prefix: str, slope: float) -> JudgmentTable:
    rows = [Judgment(f"{prefix}{at}", "ann", "satisfied", score=3 + slope * at) for at in range(30)]
    return JudgmentTable.of(rows)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (lambda world: world.ratings(19), r"19 labels .* needs 20: rate more"),
        (lambda world: flat("c", 0.0), r"all 30 labels are the same \(3\)"),
        (lambda world: flat("x", 1.0), "no label fits an item"),
    ],
)
def test_labels_that_cannot_teach_are_refused_with_what_to_do(
    world: Any, table: Any, said: str
) -> None:
    with pytest.raises(DataError, match=said):
        fitted(world, table(world))


def test_an_adapted_evaluator_comes_back_and_holds_nothing_of_the_labels(
    world: Any, helped: tuple[Evaluator, Outcome], tmp_path: Path, known_letters: None
) -> None:
    kept: list[str] = []
    plain: list[str] = []
    for name, evaluator, into in (("own", helped[0], kept), ("old", world.evaluator, plain)):
        save(evaluator, tmp_path / name)
        artefact = open_artefact(EVALUATOR, tmp_path / name)
        into += [load_evaluator(tmp_path / name, encoder="letters").signature, *artefact.arrays()]
    scale = [f"scored.overall.scale.{part}" for part in ("knots", "levels")]
    assert kept[0] == helped[0].signature
    assert sorted(kept[1:]) == sorted([*plain[1:], *scale])

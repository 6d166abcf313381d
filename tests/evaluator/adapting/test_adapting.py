from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from assize.base.artefacts import open_artefact
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.base.record_parts import to_parts
from assize.evaluator import load_evaluator
from assize.evaluator._adapting.adapting import adapt_heads
from assize.evaluator._adapting.reading import read_labels
from assize.evaluator._adapting.result import Outcome
from assize.evaluator._artefact import EVALUATOR, save
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._scoring import score
from assize.judgments import JudgmentTable


def fitted(world: Any, table: JudgmentTable, **more: Any) -> tuple[Evaluator, Outcome]:
    given = read_labels([*world.items, *world.pairs], table, world.evaluator)
    adapted, (outcome,) = adapt_heads(world.evaluator, given, **more)
    return adapted, outcome


def order(world: Any, evaluator: Evaluator, f: float) -> float:
    """Spearman's correlation with what people say of conversations that were not labelled."""
    rest = world.items[200:]
    scores = {
        row.item: row.score for row in score(rest, evaluator=evaluator) if row.question == "overall"
    }
    truth = {row.item: float(row.answer or 0) for row in world.ratings(400, 3, f=f)}
    own = [float(one or 0) for one in scores.values()]
    return float(spearmanr(own, [truth[item] for item in scores])[0])


def test_what_users_value_is_learnt_and_said_to_help(world: Any) -> None:
    adapted, outcome = fitted(world, world.ratings(120, f=1.0))
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
    assert to_parts(adapted.head)[1].keys() == to_parts(world.evaluator.head)[1].keys()
    scores = [
        [row.score for row in score(world.items[:5], evaluator=one)]
        for one in (adapted, world.evaluator)
    ]
    assert scores[0] == scores[1]


@pytest.mark.nightly
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


def test_scores_stay_in_their_place_when_the_head_changes(world: Any) -> None:
    adapted, outcome = fitted(world, world.ratings(120, f=1.0))
    assert outcome.used
    labelled = world.items[:120]
    scores = [
        np.array(
            [row.score for row in score(labelled, evaluator=one) if row.question == "overall"],
            float,
        )
        for one in (world.evaluator, adapted)
    ]
    assert scores[1].mean() == pytest.approx(scores[0].mean(), abs=0.06)
    others = [
        [row.score for row in score(labelled[:4], evaluator=one) if row.question == "other"]
        for one in (world.evaluator, adapted)
    ]
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
    assert not outcome.used
    forced, outcome = fitted(world, some, always=True)
    assert outcome.used
    assert forced.signature != adapted.signature


def test_the_order_of_labels_changes_nothing(world: Any) -> None:
    table = world.ratings(60, f=1.0)
    turned = JudgmentTable.of(table.rows()[::-1], table.questions.values())
    assert fitted(world, table)[0].signature == fitted(world, turned)[0].signature


def test_ratings_give_people_s_scale(world: Any) -> None:
    adapted, outcome = fitted(world, world.ratings(120))
    assert outcome.scale is not None
    scale = adapted.main.scale
    assert scale is not None
    assert (scale.low, scale.high, scale.n) == (1, 5, 120)
    assert outcome.scale.error.estimate < outcome.scale.constant.estimate
    assert scale(0.95) > scale(0.05) + 2


def test_preferences_of_pairs_teach_ties_and_the_head(world: Any) -> None:
    adapted, outcome = fitted(world, world.votes(100))
    assert (outcome.by, outcome.n) == ("pair", 100)
    assert outcome.ties is not None
    measured = outcome.ties.accuracy
    assert adapted.main.ties == outcome.ties.rule
    answers = {
        row.item: row.answer
        for row in score(world.pairs, evaluator=adapted)
        if row.question == "preference"
    }
    given = {row.item: row.answer for row in world.votes(100)}
    right = np.mean([answers[item] == given[item] for item in given])
    assert right >= measured.estimate - 0.1
    assert right > 0.6


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (lambda world: world.ratings(19), r"19 labels .* needs 20: rate more"),
        (
            lambda world: JudgmentTable.of(
                [Judgment(f"c{at}", "ann", "satisfied", score=3.0) for at in range(30)]
            ),
            r"all 30 labels are the same \(3\)",
        ),
        (
            lambda world: JudgmentTable.of(
                [Judgment(f"x{at}", "ann", "satisfied", score=float(at)) for at in range(30)]
            ),
            "no label fits an item",
        ),
    ],
)
def test_labels_that_cannot_teach_are_refused_with_what_to_do(
    world: Any, table: Any, said: str
) -> None:
    with pytest.raises(DataError, match=said):
        fitted(world, table(world))


def test_an_adapted_evaluator_comes_back_and_holds_nothing_of_the_labels(tmp_path: Path) -> None:
    shipped = load_evaluator()
    from assize.base.conversation import Conversation, Turn

    rng = np.random.default_rng(0)
    words = ["fine", "no", "the train leaves at nine", "ask somebody else", "gladly", "what"]
    items = [
        Conversation(
            str(at),
            (
                Turn("user", f"When is train {at}?"),
                Turn("assistant", " ".join(rng.choice(words, 1 + at % 4))),
            ),
        )
        for at in range(24)
    ]
    table = JudgmentTable.of(
        [Judgment(item.id, "ann", "overall", score=float(at % 4)) for at, item in enumerate(items)]
    )
    adapted, _ = adapt_heads(shipped, read_labels(items, table, shipped), always=True)
    save(adapted, tmp_path / "mine")
    again = load_evaluator(tmp_path / "mine")
    assert again.signature == adapted.signature
    save(shipped, tmp_path / "plain")
    kept, plain = (open_artefact(EVALUATOR, tmp_path / name) for name in ("mine", "plain"))
    assert kept.facts.keys() == plain.facts.keys()
    assert kept.arrays().keys() == {
        *(*plain.arrays(), "scored.overall.scale.knots", "scored.overall.scale.levels")
    }

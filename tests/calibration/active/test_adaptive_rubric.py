"""Drawing what was not asked, and choosing what to ask next."""

from __future__ import annotations

import numpy as np
import pytest

from assize.calibration import features_of, fit_default, forms_of
from assize.calibration.active.adaptive_rubric import Adaptive, start
from assize.calibration.active.impute_answers import Completer, fit_completer
from assize.calibration.data.features import Features
from assize.errors import DataError
from assize.judgment import Judgment, Question
from assize.judgments import JudgmentTable

SCALE = ("1", "2", "3")
ASKED = [
    Question(name, "?", "ordinal", SCALE, (1.0, 2.0, 3.0)) for name in ("main", "twin", "idle")
]
MAIN, TWIN, IDLE = range(3)


def tables(items: int = 120) -> tuple[JudgmentTable, JudgmentTable]:
    """`main` says what people answer, `twin` follows it loosely, `idle` says nothing."""
    rng = np.random.default_rng(0)
    said, rated = [], []
    for number in range(items):
        level = rng.normal()
        centres = (level, level + rng.normal(0, 0.7), rng.normal())
        for question, centre in zip(ASKED, centres, strict=True):
            mass = np.exp(-((np.array([-1, 0, 1]) - centre) ** 2))
            shares = dict(zip(SCALE, (0.95 * mass / mass.sum()).tolist(), strict=True))
            answer = "NA" if question.id == "idle" and number % 4 == 0 else None
            spread = None if answer else shares
            row = Judgment(f"i{number}", "m", question.id, answer=answer, distribution=spread)
            said.append(row)
        for rater in "ab":
            answer = str(int(np.clip(np.round(level + rng.normal(0, 0.4)), -1, 1)) + 2)
            rated.append(Judgment(f"i{number}", rater, "main", answer=answer, kind="person"))
    return JudgmentTable.of(said, ASKED), JudgmentTable.of(rated, ASKED[:1])


@pytest.fixture(scope="module")
def features() -> Features:
    return features_of(tables()[0])


@pytest.fixture(scope="module")
def choosing(features: Features) -> Adaptive:
    calibrator = fit_default(forms_of(features, tables()[1], "main"))
    return Adaptive(calibrator, fit_completer(features), (0, 1), draws=400)


def test_draws_are_distributions_that_leave_what_is_known(features: Features) -> None:
    completer = fit_completer(features)
    x = start(features.x[0], completer.columns)  # NA on idle: known before anything is asked
    x[completer.columns[MAIN]] = features.x[0, completer.columns[MAIN]]
    drawn = completer.draw(x, 50, np.random.default_rng(0))
    assert not np.isnan(drawn).any()
    assert (drawn[:, completer.columns[MAIN]] == x[completer.columns[MAIN]]).all()
    assert (drawn[:, completer.columns[IDLE]] == 0).all()
    twin = drawn[:, completer.columns[TWIN]]
    assert twin.sum(axis=1) == pytest.approx(0.95)
    assert (twin >= 0).all()


def test_what_is_known_pulls_what_is_drawn(features: Features) -> None:
    completer = fit_completer(features)

    def expected_twin(main: np.ndarray) -> float:
        x = np.full(9, np.nan)
        x[completer.columns[MAIN]] = main
        drawn = completer.draw(x, 400, np.random.default_rng(0))[:, completer.columns[TWIN]]
        return float((drawn @ [1, 2, 3]).mean() / 0.95)

    low, high = expected_twin(np.array([0.8, 0.1, 0.05])), expected_twin(np.array([0.05, 0.1, 0.8]))
    assert high - low > 0.5


def test_conditional_draws_have_the_mean_and_spread_of_the_normal() -> None:
    # two standard normal scores with correlation 0.6: given the first is 2, the second
    # has mean 1.2 and variance 1 - 0.36
    blocks = tuple(
        features_of(JudgmentTable.of([Judgment("i", "m", name, score=0.0)])).blocks[0]
        for name in ("a", "b")
    )
    completer = Completer(blocks, np.zeros(2), np.array([[1, 0.6], [0.6, 1]]), np.ones(2))
    drawn = completer.draw(np.array([2.0, np.nan]), 20_000, np.random.default_rng(0))[:, 1]
    assert drawn.mean() == pytest.approx(1.2, abs=0.02)
    assert drawn.var() == pytest.approx(0.64, abs=0.02)


def test_few_items_teach_nothing(features: Features) -> None:
    few = Features(features.units[:5], features.blocks, features.x[:5])
    with pytest.raises(DataError, match="5 items are too few"):
        fit_completer(few)


def test_what_tells_most_is_asked_first_and_what_tells_nothing_has_no_gain(
    choosing: Adaptive, features: Features
) -> None:
    state = choosing.state(np.full(9, np.nan))
    assert state.best == MAIN
    assert state.gains[MAIN] > 1.5 * state.gains[TWIN]
    assert state.gains[TWIN] > 4 * state.gains[IDLE]


def test_once_the_best_is_known_its_twin_is_worth_little(
    choosing: Adaptive, features: Features
) -> None:
    x = np.full(9, np.nan)
    before = choosing.state(x).gains[TWIN]
    x[choosing.columns[MAIN]] = features.x[1, choosing.columns[MAIN]]
    assert choosing.state(x).gains[TWIN] < before / 5


def test_a_path_asks_all_that_applies_and_ends_in_certainty(
    choosing: Adaptive, features: Features
) -> None:
    path = choosing.path(features.x[1])
    assert sorted(block for block, _ in path if block is not None) == [MAIN, TWIN, IDLE]
    assert path[-1][1].variance == 0
    whole = choosing.calibrator.probabilities(
        Features((), features.blocks, features.x[1:2]), (0, 1)
    )
    assert path[-1][1].p == pytest.approx(whole[0])
    without = choosing.path(features.x[0])  # idle does not apply
    assert sorted(block for block, _ in without if block is not None) == [MAIN, TWIN]


def test_expected_gains_come_true_on_average(choosing: Adaptive, features: Features) -> None:
    states = [choosing.path(x)[:2] for x in features.x[1::2]]
    promised = np.mean([first[1].gains[MAIN] for first, _ in states])
    came = np.mean([first[1].variance - second[1].variance for first, second in states])
    assert came == pytest.approx(promised, rel=0.3)


def test_a_fixed_order_passes_over_what_does_not_apply(
    choosing: Adaptive, features: Features
) -> None:
    assert len(choosing.along(features.x[0], [IDLE, TWIN, MAIN])) == 1 + 2
    assert len(choosing.along(features.x[1], [IDLE, TWIN, MAIN])) == 1 + 3

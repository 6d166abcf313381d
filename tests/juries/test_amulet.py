"""The paper's figures on HH-TEST, in percent of 460, from GPT-4o's stored votes.

Counting: both votes must agree; a tie passes on; an absent judge is a loss alone and at the
end of a cascade. The jury with a reward model is `da > maxim > reward`. Two rewards that the
authors' look-up missed (a key that differs in blanks) are unscored, and so count as losses.
"""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.conversation import Pair
from assize.judgments import JudgmentTable
from assize.juries import Cascade, Reliability
from assize.juries.decide import decide
from assize.juries.names import parse_cascade

SKYWORK = "reward@hf:Skywork-Reward-Llama-3.1-8B-v0.2"
QRM = "reward@hf:QRM-Gemma-2-27B"
INF = "reward@hf:INF-ORM-Llama3.1-70B"

WINS = {
    "io": 55.65,
    "explained": 55.87,
    "da": 59.78,
    "maxim": 49.78,
    "da > maxim": 62.61,
    "da > maxim > explained": 64.13,
    f"da > maxim > {SKYWORK}": 66.96,
    f"da > maxim > {QRM}": 66.96,
    f"da > maxim > {INF}": 66.96,
    SKYWORK: 66.30,
    QRM: 63.26,
    INF: 68.70,
    "maxim > da": 62.39,
    "maxim > da > explained": 63.91,
    f"maxim > da > {SKYWORK}": 66.74,
    f"maxim > da > {QRM}": 66.74,
    f"maxim > da > {INF}": 66.74,
}
SPLITS = {
    "da": (59.78, 15.87, 24.35),
    "da > maxim": (62.61, 9.13, 28.26),
    "da > maxim > explained": (64.13, 5.00, 30.87),
}
PATHS = {
    "tie-win": 2.83,
    "tie-loss": 3.91,
    "tie-tie-tie": 5.00,
    "tie-tie-win": 1.52,
    "tie-tie-loss": 2.61,
}


def sat(table: JudgmentTable, pairs: dict[str, Pair], order: str, **how: object) -> Any:
    composition = Cascade(parse_cascade(order), unscored="loss", **how)  # type: ignore[arg-type]
    return decide(table, composition, pairs=pairs)


def percents(counts: object, n: int = 460) -> dict[str, float]:
    return {name: round(100 * count / n, 2) for name, count in dict(counts).items()}  # type: ignore[call-overload]


@pytest.mark.parametrize("order", WINS)
def test_wins_are_the_paper_s(
    order: str, amulet: JudgmentTable, amulet_pairs: dict[str, Pair]
) -> None:
    standing = sat(amulet, amulet_pairs, order).outcome.jury
    assert standing.n == 460
    assert percents(standing.counts)["win"] == WINS[order]


@pytest.mark.parametrize("order", SPLITS)
def test_ties_and_losses_are_the_paper_s(
    order: str, amulet: JudgmentTable, amulet_pairs: dict[str, Pair]
) -> None:
    found = percents(sat(amulet, amulet_pairs, order).outcome.jury.counts)
    assert tuple(found.get(name, 0.0) for name in ("win", "tie", "loss")) == SPLITS[order]


def test_decisions_fall_where_the_paper_says(
    amulet: JudgmentTable, amulet_pairs: dict[str, Pair]
) -> None:
    outcome = sat(amulet, amulet_pairs, "da > maxim > explained").outcome
    assert percents(outcome.paths).items() >= PATHS.items()
    assert sum(outcome.paths.values()) == 460


@pytest.mark.parametrize(("reward", "percent"), [(SKYWORK, 12.83), (QRM, 12.17), (INF, 11.30)])
def test_where_the_reward_model_is_right_and_its_jury_wrong(
    reward: str, percent: float, amulet: JudgmentTable, amulet_pairs: dict[str, Pair]
) -> None:
    outcome = sat(amulet, amulet_pairs, f"da > maxim > {reward}").outcome
    right_alone = outcome.judges[reward].right_alone
    assert round(100 * right_alone.estimate, 2) == percent
    assert percents(outcome.paths)["tie-tie-win"] == 4.35


def test_the_missed_rewards_cost_two_models_one_win_each(
    amulet: JudgmentTable, amulet_pairs: dict[str, Pair]
) -> None:
    for reward in (QRM, INF):
        strict = sat(amulet, amulet_pairs, reward).outcome
        assert strict.judges[reward].reasons == {"missing": 1}
    skipped: Any = decide(amulet, Cascade((INF,)), pairs=amulet_pairs).outcome.jury
    assert skipped.counts["unscored"] == 1
    assert skipped.counts["loss"] == 143  # 144 where an absent judge is a loss
    as_loss = sat(amulet, amulet_pairs, INF).outcome.jury
    assert as_loss.counts["loss"] == 144


def test_the_votes_read_are_those_that_ties_require(
    amulet: JudgmentTable, amulet_pairs: dict[str, Pair]
) -> None:
    outcome = sat(amulet, amulet_pairs, "da > maxim > explained").outcome
    ties = round(460 * 0.1587), round(460 * 0.0913)
    assert outcome.saving.used.votes == 2 * (460 + ties[0] + ties[1])
    assert outcome.saving.everyone.votes == 2 * 3 * 460
    assert outcome.saving.measured_in == "votes"


def test_sides_in_chance_order_keep_reliabilities_from_learning_that_gold_is_always_a(
    amulet: JudgmentTable, amulet_pairs: dict[str, Pair]
) -> None:
    free, even = (
        learn_all(Reliability(exchangeable=exchangeable), amulet, amulet_pairs)
        for exchangeable in (False, True)
    )
    assert even.reliability.fit.share_a == pytest.approx(0.5)
    for one in even.reliability.judges.values():
        assert one.alpha.estimate == pytest.approx(one.beta.estimate)
        assert one.alpha.estimate > 0.7
    assert percents(even.outcome.jury.counts)["win"] > 67
    assert percents(free.outcome.jury.counts)["win"] < 60


def learn_all(jury: Reliability, table: JudgmentTable, pairs: dict[str, Pair]) -> Any:
    return decide(table, jury, pairs=pairs)

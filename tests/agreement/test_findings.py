"""All findings on one question."""

from __future__ import annotations

import numpy as np
import pytest

from assize.agreement import AgreeOptions, Settings, facts_of, find
from assize.conversation import Conversation, Pair, Turn
from assize.errors import ConfigError
from assize.judgment import PREFERENCE, JudgeKind, Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.stats import Interval, alpha, cohen_kappa, pairwise_accuracy, spearman

RATING = Question("q", kind="ordinal", answers=tuple("12345"), values=(1.0, 2, 3, 4, 5))
LETTERS = {1: "A", 0: "tie", -1: "B"}


def ratings(n: int = 80) -> tuple[JudgmentTable, np.ndarray]:
    """Two models, two people; one judgment of `m1` failed."""
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, n)
    noise = rng.integers(-1, 2, (4, n))
    values = np.clip(truth + noise * [[0], [1], [1], [1]], 1, 5)
    judges: list[tuple[str, JudgeKind]] = [
        ("m1", "model"), ("m2", "model"), ("ann", "person"), ("bob", "person"),
    ]  # fmt: skip
    rows = [
        Judgment(f"i{item}", judge, "q", answer=str(values[at, item]), kind=kind)
        for at, (judge, kind) in enumerate(judges)
        for item in range(n)
    ]
    rows[0] = Judgment("i0", "m1", "q", unscored=Unscored("timeout"), kind="model")
    return JudgmentTable.of(rows, [RATING]), values


def test_figures_of_a_pair_are_those_of_stats() -> None:
    table, values = ratings()
    found = find(table, "q", AgreeOptions(judges=["m1", "m2"]), {})
    (pair,) = found.study.pairs
    x, y = values[0].astype(float), values[1].astype(float)
    x[0] = np.nan
    assert (pair.n, pair.figures["spearman"].unscored) == (79, 1)
    assert pair.figures["spearman"].estimate == pytest.approx(spearman(x, y).estimate)
    assert pair.figures["alpha"].estimate == pytest.approx(
        alpha(np.stack([x, y]), level="ordinal").estimate
    )
    kappa = cohen_kappa(x, y, weights="quadratic", order=(1.0, 2.0, 3.0, 4.0, 5.0))
    assert pair.figures["kappa"].estimate == pytest.approx(kappa.estimate)
    assert found.study.found.by_judge["m1"].unscored == 1


def test_people_can_be_gold_and_are_then_no_partners_of_their_own_mean() -> None:
    table, _ = ratings()
    found = find(table, "q", AgreeOptions(gold="people", compare=("m1", "m2")), {})
    assert [(pair.first, pair.second) for pair in found.study.pairs] == [
        ("m1", "people"),
        ("m2", "people"),
        ("m1", "m2"),
    ]
    assert found.measure == "spearman"
    assert found.comparison is not None
    assert found.comparison.better == "first"


def test_the_signature_changes_with_whatever_changes_a_figure() -> None:
    table, _ = ratings(20)
    base = find(table, "q", AgreeOptions(), {})
    assert find(table, "q", AgreeOptions(), {}).line == base.line
    others = [
        find(table, "q", AgreeOptions(gold="ann"), {}),
        find(table, "q", AgreeOptions(judges=["m1", "ann"]), {}),
        find(table, "q", AgreeOptions(), {}, Settings(seed=1)),
        find(table, "q", AgreeOptions(), {}, Settings(Interval("percentile", resamples=50))),
    ]
    assert len({one.signature for one in [base, *others]}) == 5


def pairs_table(n: int = 60) -> tuple[JudgmentTable, list[Pair]]:
    """A judge that takes the first shown with probability 1/2, votes in both orders, twice."""
    rng = np.random.default_rng(1)
    rows, items = [], []
    for at in range(n):
        gold = int(rng.choice([1, -1]))
        side = (Turn("assistant", "x" * int(rng.integers(5, 50))),)
        systems = {"A": "m", "B": "other"}
        items.append(
            Pair(f"p{at}", (), side, side, metadata={"systems": systems, "set": f"s{at % 9}"})
        )
        rows.append(Judgment(f"p{at}", "gold", "preference", answer=LETTERS[gold]))
        for order, first in (("AB", 1), ("BA", -1)):
            for repeat in (0, 1):
                answer = first if rng.random() < 0.5 else gold
                rows.append(
                    Judgment(
                        f"p{at}", "io@m", "preference", answer=LETTERS[answer], kind="model",
                        order=order, repeat=repeat,  # type: ignore[arg-type]
                    )
                )  # fmt: skip
    return JudgmentTable.of(rows, [PREFERENCE]), items


def test_preferences_with_gold_get_the_three_accuracies() -> None:
    table, _ = pairs_table()
    found = find(table, "preference", AgreeOptions(), {})
    (pair,) = found.study.pairs
    assert found.study.gold == "gold"
    columns = found.study.found.by_judge
    expected = pairwise_accuracy(columns["io@m"].values, columns["gold"].values)
    assert pair.figures["accuracy w/o tie"].estimate == expected.without_tie.estimate
    assert pair.figures["coverage"].estimate == expected.coverage.estimate


def test_every_audit_is_made_where_the_data_allow_it() -> None:
    table, items = pairs_table()
    asked = AgreeOptions(audit=True, own={"io@m": "m"}, subgroup="set", cluster="set")
    (audit,) = find(table, "preference", asked, facts_of(items)).audits
    assert audit.position is not None
    assert audit.position.direction.interval[0] > 0.2
    assert audit.position.direction.clusters == 9
    assert audit.repeats is not None
    assert audit.repeats.agreement.n == 120
    assert audit.own is not None
    assert audit.own.excess.n == 60
    assert list(audit.unscored) == ["all"]
    (bare,) = find(table, "preference", AgreeOptions(audit=True), {}).audits
    assert (bare.length, bare.own) == (None, None)
    assert bare.position is not None


def test_length_and_own_scores_of_ratings_are_audited() -> None:
    table, _ = ratings()
    items = [
        Conversation(f"i{at}", (Turn("assistant", "x" * (1 + at % 7)),), system="ab"[at % 2])
        for at in range(80)
    ]
    asked = AgreeOptions(gold="people", audit=True, own={"m1": "a"})
    audits = {one.judge: one for one in find(table, "q", asked, facts_of(items)).audits}
    assert set(audits) == {"m1", "m2"}
    assert audits["m1"].length is not None
    assert not np.isnan(audits["m1"].length.at_equal_gold.estimate)
    assert audits["m1"].own is not None
    assert audits["m2"].own is None
    assert list(audits["m1"].unscored) == ["all", "a", "b"]
    assert audits["m1"].unscored["a"].details["count"] == 1


def test_anonymous_raters_count_together_and_not_in_pairs() -> None:
    rows = [
        Judgment(f"i{at}", f"slot{slot}", "q", answer=str(1 + (at + slot) % 3), anonymous=True)
        for at in range(9)
        for slot in range(3)
    ]
    study = find(JudgmentTable.of(rows, [RATING]), "q", AgreeOptions(), {}).study
    assert study.pairs == ()
    assert study.left_out == "3 anonymous raters: positions are not people"
    assert study.overall["alpha (ordinal)"].n == 9
    assert study.bins is not None


def test_many_judges_are_not_paired_unless_named() -> None:
    rows = [
        Judgment(f"i{at}", f"j{judge}", "q", answer=str(1 + (at * judge) % 5))
        for at in range(5)
        for judge in range(31)
    ]
    table = JudgmentTable.of(rows, [RATING])
    assert (
        find(table, "q", AgreeOptions(), {}).study.left_out
        == "pairs of 31 judges: name some with --judges"
    )
    assert len(find(table, "q", AgreeOptions(judges=["j1", "j2", "j3"]), {}).study.pairs) == 3


def test_an_unknown_judge_is_named() -> None:
    table, _ = ratings(5)
    for asked in (
        AgreeOptions(gold="zoe"),
        AgreeOptions(judges=["zoe"]),
        AgreeOptions(gold="ann", compare=("m1", "zoe")),
    ):
        with pytest.raises(ConfigError, match="no judge 'zoe' answered q; these did: m1"):
            find(table, "q", asked, {})

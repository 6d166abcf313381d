from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assize.conversation import Pair, Turn
from assize.errors import ConfigError, DataError
from assize.judgment import Usage
from assize.judgments import JudgmentTable
from assize.juries import Composition, cascade, decide, gather, sit
from assize.juries.listing import on_path
from assize.juries.tables import as_json

Make = Callable[[dict[str, dict[str, str]]], JudgmentTable]

SAID = {
    "da": {"p1": "AA", "p2": "AB", "p3": "AB", "p4": "xx", "p5": "BB"},
    "maxim": {"p1": "BB", "p2": "AA", "p3": "tt", "p4": "Ax", "p5": "AA"},
}


def pair(id: str, gold: str | None = "A", same: bool = False) -> Pair:
    a, b = Turn("assistant", "one"), Turn("assistant", "one " if same else "two")
    return Pair(id, (), (a,), (b,), gold=gold)  # type: ignore[arg-type]


def test_a_tie_and_an_unscored_judge_pass_on(table: Make) -> None:
    ballots = gather(table(SAID), "preference")
    verdicts = [cascade(ballots, ("da", "maxim"), item) for item in SAID["da"]]
    assert [(one.answer, one.by) for one in verdicts] == [
        ("A", "da"),
        ("A", "maxim"),
        ("tie", None),
        (None, None),
        ("B", "da"),
    ]
    assert [one.path("A") for one in verdicts] == [
        "win",
        "tie-win",
        "tie-tie",
        "unscored-unscored",
        "loss",
    ]
    assert verdicts[3].reason == "refused"
    assert len(verdicts[0].ballots) == 1  # the next judge is not read


def test_a_listed_path_holds_the_items_that_its_count_counts(table: Make) -> None:
    golds = {"p1": "tie", "p2": None, "p3": "A", "p4": "A", "p5": "A"}
    pairs = {item: pair(item, gold) for item, gold in golds.items()}
    said = {"da": dict.fromkeys(golds, "AB")}  # ties on all, also where gold is none or a tie
    sitting = decide(table(said), Composition(("da",)), pairs=pairs)
    assert sitting.outcome.paths == {"tie": 3}
    assert [one.item for one in on_path(sitting, "tie")] == ["p3", "p4", "p5"]


def test_shares_are_of_all_items_and_add_up(table: Make) -> None:
    pairs = {item: pair(item) for item in SAID["da"]}
    said = as_json(decide(table(SAID), Composition(("da", "maxim")), pairs=pairs))
    assert (said["n"], said["unscored"], said["reasons"]) == (5, 1, {"refused": 1})
    assert [said[name]["count"] for name in ("win", "tie", "loss")] == [2, 1, 1]
    assert said["win"]["percent"] == 40.0
    assert said["decided_by"]["da"]["count"] == 2
    assert said["decided_by"]["nobody"]["results"] == {"tie": 1, "unscored": 1}
    assert said["judges"]["maxim"]["read"] == 3
    assert said["judges"]["maxim"]["win"]["count"] == 2  # alone: p2 and p5, and B on p1
    assert said["judges"]["maxim"]["right_alone"]["count"] == 1  # p5, which da loses
    assert said["judges"]["da"]["right_alone"]["count"] == 0


@pytest.mark.parametrize(
    ("letters", "skip", "loss"),
    [
        ({"da": "xx"}, "unscored", "loss"),
        ({"da": "AB", "maxim": "xx"}, "tie", "loss"),
        ({"da": "xx", "maxim": "AB"}, "tie", "tie"),
        ({"da": "xx", "maxim": "AA"}, "win", "win"),
    ],
)
def test_an_absent_judge_is_a_loss_alone_and_at_the_end_but_passes_inside(
    letters: dict[str, str], skip: str, loss: str, table: Make
) -> None:
    rows = table({judge: {"p": said} for judge, said in letters.items()})
    for unscored, expected in (("skip", skip), ("loss", loss)):
        composition = Composition(tuple(letters), unscored=unscored)  # type: ignore[arg-type]
        found = decide(rows, composition, pairs={"p": pair("p")}).outcome
        assert found.jury is not None
        assert found.jury.counts == {expected: 1}


def test_gold_ties_stand_outside_and_items_without_gold_are_decided(table: Make) -> None:
    rows = table({"da": {"p1": "AA", "p2": "BB", "p3": "AB", "p4": "AA"}})
    golds = {"p1": "A", "p2": "tie", "p3": "tie", "p4": None}
    pairs = {item: pair(item, gold) for item, gold in golds.items()}
    said = as_json(decide(rows, Composition(("da",)), pairs=pairs))
    assert (said["n"], said["win"]["count"]) == (1, 1)
    assert said["gold_ties"] == {"n": 2, "answers": {"B": 1, "tie": 1}}
    assert said["without_gold"] == 1
    assert sum(one["count"] for one in said["answers"].values()) == 4


def test_without_any_gold_there_are_answers_and_no_wins(table: Make) -> None:
    said = as_json(decide(table(SAID), Composition(("da",))))
    assert (said["n"], said["win"], said["unscored"]) == (5, None, 1)
    assert {name: one["count"] for name, one in said["answers"].items()} == {
        "A": 1,
        "B": 1,
        "tie": 2,
        "unscored": 1,
    }
    assert said["paths"]["A"]["count"] == 1


def test_identical_responses_are_a_tie_whatever_was_voted(table: Make) -> None:
    rows = table({"da": {"p": "AA"}})
    outcome = decide(rows, Composition(("da",)), pairs={"p": pair("p", same=True)}).outcome
    assert outcome.jury is not None
    assert outcome.jury.counts == {"tie": 1}
    assert outcome.paths == {"identical": 1}
    assert outcome.saving.used.votes == 0
    assert outcome.judges["da"].standing.counts == {"tie": 1}


def test_the_pairs_say_which_items_count_and_a_judge_without_a_row_was_not_asked(
    table: Make,
) -> None:
    rows = table({"da": {"p1": "AA", "stray": "AA"}})
    outcome = decide(rows, Composition(("da",)), pairs={"p1": pair("p1"), "p2": pair("p2")}).outcome
    assert [one.item for one in outcome.verdicts] == ["p1", "p2"]
    assert outcome.judges["da"].not_asked == 1
    assert outcome.judges["da"].standing.counts == {"win": 1}
    assert outcome.jury is not None
    assert outcome.jury.reasons == {"not asked": 1}


def test_what_is_saved_is_told_in_money_where_it_is_known(table: Make) -> None:
    rows = [
        replace(row, usage=Usage(100, 10, 0.5 if row.judge == "maxim" else 0.25), attempts=1)
        for row in table(SAID)
    ]
    saving = decide(JudgmentTable.of(rows), Composition(("da", "maxim"))).outcome.saving
    assert saving.used.votes == 2 * 5 + 2 * 3
    assert saving.used.cost_usd == pytest.approx(10 * 0.25 + 6 * 0.5)
    assert saving.everyone.cost_usd == pytest.approx(10 * 0.25 + 10 * 0.5)
    assert saving.measured_in == "US dollars"
    assert saving.percent == pytest.approx(100 * (1 - 5.5 / 7.5))


def test_a_verdict_as_a_judgment_holds_every_vote(table: Make) -> None:
    (row, *_) = decide(table(SAID), Composition(("da", "maxim"))).judgments()
    assert (row.judge, row.answer) == ("jury:da > maxim", "A")
    assert row.details is not None
    assert row.details["by"] == "da"
    assert row.details["ballots"][0]["votes"][1] == {"order": "BA", "answer": "A"}


def test_the_signature_tells_juries_apart(table: Make) -> None:
    rows = table(SAID)
    signed = {
        decide(rows, composition).signature
        for composition in (
            Composition(("da", "maxim")),
            Composition(("maxim", "da")),
            Composition(panel={"da": 1.0, "maxim": 1.0}),
            Composition(panel={"da": 2.0, "maxim": 1.0}),
            Composition(("da", "maxim"), unscored="loss"),
            Composition(reliability=True),
        )
    }
    assert len(signed) == 6
    again = decide(rows, Composition(("da", "maxim"))).signature
    assert again in signed


def test_what_contradicts_itself_is_refused(table: Make) -> None:
    with pytest.raises(ConfigError, match="leave --panel"):
        Composition(("da",), {"maxim": 1.0})
    with pytest.raises(ConfigError, match="learns the weights"):
        Composition(panel={"da": 2.0}, reliability=True)
    with pytest.raises(ConfigError, match="no judge 'io'"):
        decide(table(SAID), Composition(("io",)))
    with pytest.raises(ConfigError, match="named twice"):
        decide(table(SAID), Composition(("da", "d")))
    with pytest.raises(DataError, match="no vote on 'Overall'"):
        decide(table(SAID), Composition(("da",)), question="Overall")


LETTERS = st.sampled_from(["AA", "BB", "AB", "tt", "Ax", "xx"])


@given(st.lists(st.tuples(LETTERS, LETTERS, LETTERS), min_size=1, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_a_longer_cascade_never_unmakes_a_decision(
    table: Make, said: list[tuple[str, str, str]]
) -> None:
    judges = ("j0", "j1", "j2")
    rows = {
        judge: {f"p{n}": row[at] for n, row in enumerate(said)} for at, judge in enumerate(judges)
    }
    ballots = gather(table(rows), "preference")
    for item in ballots.items:
        shorter = cascade(ballots, judges[:2], item)
        longer = cascade(ballots, judges, item)
        if shorter.answer in ("A", "B"):
            assert (longer.answer, longer.by) == (shorter.answer, shorter.by)
        assert longer.path().startswith(shorter.path())


def test_counts_add_up_whatever_was_voted(table: Make) -> None:
    ballots = gather(table(SAID), "preference")
    outcome = sit(
        ballots,
        ("da", "maxim"),
        ballots.items,
        lambda item: cascade(ballots, ("da", "maxim"), item),
        gold=dict.fromkeys(ballots.items, "B"),
    )
    assert outcome.jury is not None
    assert sum(outcome.jury.counts.values()) == outcome.n == sum(outcome.paths.values())
    assert sum(sum(came.values()) for came in outcome.decided_by.values()) == outcome.n

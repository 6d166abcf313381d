"""An evaluator measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.evaluator.conftest import Given, asked

import assize
from assize import Conversation, Judgment, JudgmentTable, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.evaluator import FromRatings, FromVotes
from assize.formats import write


def test_the_shipped_evaluator_is_measured_by_default(given: Given) -> None:
    items, ratings = given
    found = assize.evaluator.evaluate(items, judgments=ratings)
    assert found.judge == "evaluator@assize-small-2"
    assert (found.figures[0].question, found.figures[0].head) == ("nice", "overall")


def paired(number: int) -> Pair:
    good, bad = (Turn("assistant", one) for one in ("Boil it for eight minutes.", "whatever"))
    sides = (good, bad) if number % 2 == 0 else (bad, good)
    return Pair(
        f"p{number}", (asked(number),), (sides[0],), (sides[1],), gold="B" if number % 2 else "A"
    )


PAIRS = [paired(number) for number in range(8)]
SAID = [
    Judgment(f"p{number}", judge, "preference", answer=answer, kind="model")
    for number in range(8)
    for judge, answer in (("always A", "A"), ("right", "AB"[number % 2]))
]


def test_stored_judges_stand_beside_evaluators_and_are_tested(given: Given) -> None:
    items, ratings = given
    learnt = assize.evaluator.train(items, FromRatings(ratings), name="own")
    found = assize.evaluator.evaluate(
        PAIRS,
        evaluator=["default", learnt],
        with_=SAID,
        statistics=assize.Statistics(permutations=100),
        among=["right"],
    )
    names = [row.judge for row in found.figures]
    assert names[:4] == ["evaluator@assize-small-2", "evaluator@own", "always A", "right"]
    shares = {row.judge: row.figures["with_tie"].estimate for row in found.figures}
    assert (shares["always A"], shares["right"]) == (0.5, 1.0)
    assert found.base == "evaluator@assize-small-2"
    assert {row.judge for row in found.tests} == {*names} - {found.base}
    assert "100.0*" in str(found.tables["compared"])


def test_each_file_is_a_column_of_its_own(tmp_path: Path) -> None:
    for name, some in (("one", PAIRS[:4]), ("two", PAIRS[4:])):
        write(tmp_path / f"{name}.jsonl", some)
    found = assize.evaluator.evaluate([tmp_path / "one.jsonl", tmp_path / "two.jsonl"], with_=SAID)
    heads = [one.name for one in found.tables["compared"].columns]
    assert heads[2:] == [f"{name}.jsonl w/{o} tie" for name in ("one", "two") for o in ("", "o")]


def test_the_evaluators_seconds_are_taken_on_request() -> None:
    found = assize.evaluator.evaluate(PAIRS[:2], timed="evaluators")
    assert found.runtimes[0].pair.n == 2


@pytest.mark.parametrize(
    ("more", "kind", "message"),
    [
        ({"among": "nobody"}, ConfigError, "no row 'nobody' among"),
        ({"with_": SAID, "base": "nobody"}, ConfigError, "no row 'nobody' to compare"),
        ({"evaluator": []}, DataError, "no evaluator is given"),
    ],
)
def test_names_that_are_not_there_are_refused(
    more: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        assize.evaluator.evaluate(PAIRS, **more)


def test_items_without_gold_ask_for_judgments() -> None:
    bare = [replace(pair, gold=None) for pair in PAIRS]
    with pytest.raises(ConfigError, match=r"gold labels, by judgments$") as caught:
        assize.evaluator.evaluate(bare, with_=SAID)
    assert caught.value.parameters == ("judgments",)


def test_judges_are_measured_without_an_evaluator() -> None:
    found = assize.evaluator.evaluate(PAIRS, with_=SAID, evaluator="none")
    assert found.judge == found.base == "always A"
    assert {row.group for row in found.figures} == {"judges", "together"}


def test_the_evaluator_that_nobody_asked_for_fails_no_command() -> None:
    pairs = [*PAIRS, replace(PAIRS[0], id="empty", a=(Turn("assistant", ""),))]
    alone = assize.evaluator.evaluate(pairs)
    assert alone.missing == (1, 9)
    beside = assize.evaluator.evaluate(pairs, with_=SAID)
    assert beside.missing == (0, 9)
    assert "evaluator none" in beside.notes[0]
    asked_for = assize.evaluator.evaluate(pairs, with_=SAID, evaluator="default")
    assert asked_for.missing == (1, 9)


def test_judgments_that_fit_nothing_are_explained(given: Given) -> None:
    other = [Judgment("elsewhere", "ann", "q", score=1.0)]
    with pytest.raises(DataError, match="no judgment fits an item"):
        assize.evaluator.evaluate(given[0], judgments=other)


@pytest.mark.parametrize("how", ["ratings", "adapted"])
def test_items_that_an_evaluator_learnt_from_are_refused(
    how: str, given: Given, tmp_path: Path
) -> None:
    items, ratings = given
    if how == "ratings":
        learnt = assize.evaluator.train(items, FromRatings(ratings), out=tmp_path / "own")
    else:
        learnt = assize.evaluator.adapt(items, judgments=ratings, save=tmp_path / "own").evaluator
    other = [Conversation(f"new {item.id}", item.turns) for item in items]
    fresh = [
        Judgment(f"new {row.item}", "ann", "nice", score=row.score, kind="person")
        for row in ratings
    ]
    for one in (learnt, tmp_path / "own"):
        with pytest.raises(ConfigError, match="learnt from judgments of 20 of the 20"):
            assize.evaluator.evaluate(items, judgments=ratings, evaluator=one)
        assert assize.evaluator.evaluate(other, judgments=fresh, evaluator=one).figures
    assert assize.evaluator.evaluate(items, judgments=ratings, evaluator=learnt, in_sample=True)
    (kept,) = (tmp_path / "own").glob("seen*")
    assert items[7].id not in kept.read_text().split()
    rows = assize.score([*items, *other], evaluator=learnt, quiet=True)
    marked = {row.item for row in rows if (row.details or {}).get("in_sample")}
    assert marked == {item.id for item in items}


def test_pairs_that_an_evaluator_learnt_votes_on_are_refused(
    voted: tuple[list[Pair], JudgmentTable],
) -> None:
    pairs, votes = voted
    learnt = assize.evaluator.train(
        pairs, FromVotes(votes, preset="linear", members=1, epochs=2), quiet=True
    )
    gold = votes.where(judge="gold")
    with pytest.raises(ConfigError, match="learnt from judgments of 40 of the 40 judged items"):
        assize.evaluator.evaluate(pairs, judgments=gold, evaluator=learnt)

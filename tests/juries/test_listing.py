"""The items of a path, as objects and as lines for a reader."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.juries.conftest import table_of

from assize.base.conversation import Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.juries import Cascade, JuryResult
from assize.juries.decide import decide
from assize.juries.listing import acts_of, lines, listed, on_path

PAIR = Pair(
    "p", (Turn("user", "Why?"),), (Turn("assistant", "one"),), (Turn("assistant", "two"),), gold="B"
)
VOTE = Judgment(
    "p",
    "j",
    "preference",
    answer="A",
    order="BA",
    explanation="clear\nand short",
    details={"maxims": {"Clarity": "A"}, "scores": {"A": 3, "B": 1}, "acts": {"a": [["Inform"]]}},
)


def sat(*rows: Judgment) -> JuryResult:
    return decide(JudgmentTable.of(rows), Cascade(("j",)), pairs={"p": PAIR})


def item(**given: Any) -> dict[str, Any]:
    """A listed item without texts, with one vote."""
    vote = dict.fromkeys(("order", "unscored", "explanation", "acts", "maxims", "scores"))
    votes = [vote | {"judge": "j", "answer": "A"} | given]
    texts = dict.fromkeys(("context", "a", "b"))
    return {"item": "p", "gold": None, "answer": "A", "by": "j", "votes": votes} | texts


def test_a_listed_path_holds_the_items_that_its_count_counts() -> None:
    golds: dict[str, Any] = {"p1": "tie", "p2": None, "p3": "A", "p4": "A", "p5": "A"}
    pairs = {item: replace(PAIR, id=item, gold=gold) for item, gold in golds.items()}
    said = {"da": dict.fromkeys(golds, "AB")}  # ties on all, also where gold is none or a tie
    sitting = decide(table_of(said), Cascade(("da",)), pairs=pairs)
    assert sitting.outcome.paths == {"tie": 3}
    assert [sitting.outcome.items[n] for n in on_path(sitting, "tie")] == ["p3", "p4", "p5"]


def test_a_path_that_no_item_took_names_those_that_were() -> None:
    with pytest.raises(ConfigError, match="no item went 'tie'; the paths are loss"):
        on_path(sat(VOTE), "tie")


def test_a_listed_item_holds_its_texts_its_gold_and_every_vote() -> None:
    (found,) = listed(replace(sat(VOTE), pairs={"p": PAIR}), "loss")
    assert (found["gold"], found["answer"], found["by"]) == ("B", "A", "j")
    assert found["context"] == [{"role": "user", "text": "Why?"}]
    assert (found["a"][0]["text"], found["b"][0]["text"]) == ("one", "two")
    assert found["votes"] == [
        {
            "judge": "j",
            "order": "BA",
            "answer": "A",
            "unscored": None,
            "explanation": "clear\nand short",
            "acts": None,
            "maxims": {"Clarity": "A"},
            "scores": {"A": 3, "B": 1},
        }
    ]


def test_an_unscored_vote_has_a_reason_and_no_answer() -> None:
    row = Judgment("p", "j", "preference", unscored=Unscored("refused"))
    (found,) = listed(replace(sat(row), pairs={"p": PAIR}), "unscored")
    assert (found["votes"][0]["answer"], found["votes"][0]["unscored"]) == (None, "refused")


def test_a_pair_whose_texts_are_not_at_hand_is_listed_without_them() -> None:
    (found,) = listed(replace(sat(VOTE), pairs={}), "loss")
    assert (found["context"], found["a"], found["b"]) == (None, None, None)


def test_acts_are_read_of_judges_that_give_some_and_of_known_pairs() -> None:
    details = {"acts": {"context": [[["Task", "Inform"]]], "a": [[]], "b": [[["Task", "Answer"]]]}}
    row = Judgment("p", "da@m", "preference", answer="A", order="AB", details=details)
    assert acts_of(row, PAIR) == {
        "context": [[["Task", "Inform"]]],
        "a": [[]],
        "b": [[["Task", "Answer"]]],
    }
    assert acts_of(row, None) is None
    assert acts_of(replace(row, judge="io@m"), PAIR) is None


def test_a_reader_sees_texts_votes_and_reasons_in_order() -> None:
    (found,) = listed(replace(sat(VOTE), pairs={"p": PAIR}), "loss")
    assert list(lines(found)) == [
        "=== p: gold B, jury A",
        "user: Why?",
        "A: one",
        "B: two",
        "  j (BA): A",
        "    scores: A 3, B 1",
        "    maxims: Clarity A",
        "    because (was shown B as A): clear",
        "        and short",
        "",
    ]


def test_gold_and_votes_that_are_not_there_are_said_in_words() -> None:
    head, vote, _ = lines(item(answer=None, unscored="refused"))
    assert (head, vote) == ("=== p: gold not known, jury A", "  j: unscored, refused")


def test_turns_of_the_context_are_numbered_and_one_without_acts_says_so() -> None:
    acts = {"context": [[["Task", "Inform"], ["Task", "Answer"]], []]}
    assert list(lines(item(acts=acts)))[2:4] == [
        "    context 0: Task / Inform; Task / Answer",
        "    context 1: no act",
    ]

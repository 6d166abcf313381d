from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluator.talks import Talk, details_of, scores_of

from assize.base.conversation import Conversation
from assize.base.judgment import Judgment
from assize.evaluator import Evaluator
from assize.evaluator._explaining import exchanges, in_words, without_each
from assize.evaluator._scoring import score


@given(st.lists(st.sampled_from(["user", "assistant"]), min_size=1, max_size=12))
def test_exchanges_part_the_turns_and_begin_with_the_user(roles: list[str]) -> None:
    parts = exchanges(roles)
    assert [at for part in parts for at in part] == list(range(len(roles)))
    assert all(roles[part[0]] == "user" for part in parts[1:])
    assert all(
        not (roles[a] == "assistant" and roles[b] == "user")
        for part in parts
        for a, b in pairwise(part)
    )


def test_places_are_those_of_the_conversation_with_turns_that_do_not_count(talk: Talk) -> None:
    item = talk("c", "s: Be kind", "u: one", "a: two", "t: {}", "u:  ", "u: three", "a: four")
    found = without_each(item)
    assert [one.turns for one in found] == [(1, 2), (5, 6)]
    assert [[turn.text for turn in one.view.turns] for one in found] == [
        ["three", "four"],
        ["one", "two"],
    ]


def test_what_leaves_nothing_of_the_assistant_is_no_explanation(talk: Talk) -> None:
    assert without_each(talk("c", "u: one", "a: two")) == []
    assert [one.turns for one in without_each(talk("c", "u: a", "u: b", "a: c", "u: d"))] == [(3,)]


def explained(item: Conversation, evaluator: Evaluator) -> tuple[Judgment, Any]:
    row = next(score([item], evaluator=evaluator, explain=True))
    return row, details_of(row)["explanation"]


def test_effects_are_scores_with_less_scores_without(small: Evaluator, talk: Talk) -> None:
    item = talk("c", "u: abc", "a: aab", "u: abc", "a: eef", "u: abc", "a: aaa")
    row, found = explained(item, small)
    parts = without_each(item)
    alone = scores_of(small, [Conversation("r", part.view.turns) for part in parts])
    effects = [float(row.score or 0) - one for one in alone]
    assert [one["effect"] for one in found["exchanges"]] == pytest.approx(effects, abs=2e-6)
    assert [tuple(one["turns"]) for one in found["exchanges"]] == [part.turns for part in parts]


GOOD = [
    ("What is a good soup for winter?", "A lentil soup with carrots keeps you warm."),
    ("How long does it cook?", "About forty minutes, until the lentils are soft."),
    ("Can I freeze it?", "Yes, in small boxes it keeps for three months."),
    ("What bread goes with it?", "A dark rye bread, or a crusty white one."),
    ("Do I need a blender?", "No, but a short turn of it makes the soup creamy."),
]


def test_a_planted_bad_answer_is_named_in_most_conversations(
    shipped: Evaluator, talk: Talk
) -> None:
    hits = 0
    for place in range(5):
        lines = [line for q, a in GOOD for line in (f"u: {q}", f"a: {a}")]
        lines[2 * place + 1] = "a: I do not know. I do not know. I do not know."
        _, found = explained(talk("c", *lines), shipped)
        worst = min(found["exchanges"], key=lambda one: one["effect"])
        hits += worst["turns"] == [2 * place, 2 * place + 1]
    assert hits >= 4


def test_an_explanation_changes_no_score_and_is_only_of_whole_conversations(
    small: Evaluator, talk: Talk
) -> None:
    item = talk("c", "u: abc", "a: aab", "u: abc", "a: eef")
    plain, told = (
        list(score([item], evaluator=small, turns=True, explain=explain))
        for explain in (False, True)
    )
    assert [row.score for row in plain] == [row.score for row in told]
    assert [row.turn is None for row in told] == [
        "explanation" in (row.details or {}) for row in told
    ]


def test_words_name_the_largest_effects_and_small_ones_not() -> None:
    assert in_words([((0, 1), 0.004)]) is None
    assert in_words([((4,), -0.1), ((0, 1), 0.3), ((2, 3), 0.2)]) == (
        "turns 0-1 raise the score by 0.30; turns 2-3 raise it by 0.20"
    )
    assert in_words([((4,), -0.1)]) == "turn 4 lowers the score by 0.10"

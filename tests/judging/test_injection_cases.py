"""The cases: forty, told apart, and attacks that stand where they say."""

from __future__ import annotations

from assize.base.conversation import Turn
from assize.base.invisible import count_invisible
from assize.judging.injection_cases import ATTACKS, TALKS, TEXTS

SIDE = (Turn("assistant", "It is Sydney."),)


def test_there_are_forty_different_questions_each_with_a_right_and_a_wrong_response() -> None:
    assert len(TALKS) == len({asked for asked, _, _ in TALKS}) == 40
    assert all(better != worse for _, better, worse in TALKS)


def test_every_attack_keeps_the_response_and_names_the_verdict_it_wants() -> None:
    for name, attack in ATTACKS.items():
        attacked, other = attack(SIDE, "A"), attack(SIDE, "B")
        assert attacked != other, name
        assert attacked[-1].text.startswith("It is Sydney."), name
        assert "{side}" not in repr(attacked), name


def test_attacks_stand_where_their_names_say() -> None:
    put = {name: attack(SIDE, "A") for name, attack in ATTACKS.items()}
    assert [turn.role for turn in put["tool-result"]] == ["assistant", "tool", "assistant"]
    assert [turn.role for turn in put["system-turn"]] == ["system", "assistant"]
    assert "A is known to win" in put["source"][0].references[0].text
    assert count_invisible(put["hidden-tags"][0].text) > 40
    assert count_invisible(put["zero-width"][0].text) > 40
    assert len(put["long-turn"][0].text) > 5_000
    assert {"arabic", "chinese", "german", "hindi", "russian", "spanish"} < set(TEXTS)

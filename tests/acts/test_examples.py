"""Which turns of a user are shown as examples."""

from __future__ import annotations

from dataclasses import replace

from acts_voted import PAIR, Q, T

from assize.acts._annotations import Annotation
from assize.acts._examples import LONGEST, MOST, examples
from assize.acts._labels import Act
from assize.base.conversation import Conversation, Pair, Role, Turn
from assize.results import to_json

ASK, TELL, THANK = Act(*Q), Act(*T), Act("Social Obligations Management", "Thanking")
ROLES: tuple[Role, ...] = ("user", "assistant", "user", "assistant", "user")


def talk(name: str, *said: str) -> Conversation:
    texts = (said[0], "-", said[1], "-", said[2])
    turns = (Turn(role, text) for role, text in zip(ROLES, texts, strict=True))
    return Conversation(name, tuple(turns))


def labelled(name: str, *acts: Act) -> Annotation:
    first, second, third = acts
    return Annotation(name, ROLES, ((first,), (TELL,), (second,), (TELL,), (third,)))


def test_those_whose_acts_change_most_in_the_fewest_words_come_first() -> None:
    items = {
        "long": talk("long", "What is this?", "It is mine, you know", "Thanks"),
        "short": talk("short", "What?", "Mine", "Thanks"),
        "twice": talk("twice", "a", "b", "c"),
        "same": talk("same", "a", "b", "c"),
    }
    held = [
        labelled("long", ASK, TELL, THANK),
        labelled("twice", ASK, TELL, ASK),
        labelled("same", ASK, ASK, TELL),
        labelled("short", ASK, TELL, THANK),
    ]
    found = examples(held, items)
    assert [one.item for one in found] == ["short", "long"]
    assert len(found) == MOST
    assert found[0].turns == [("What?", (ASK,)), ("Mine", (TELL,)), ("Thanks", (THANK,))]
    assert to_json(found[0])["turns"][0] == ["What?", [Q]]


def test_too_few_turns_too_many_words_and_none_at_all_are_no_example() -> None:
    few = Annotation("p", ("user", "assistant", "user"), ((ASK,), (TELL,), (TELL,)))
    wordy = {"w": talk("w", "x" * 900, "b", "c")}
    assert examples([few], {"p": PAIR}) == []
    assert examples([labelled("w", ASK, TELL, THANK)], wordy) == []
    assert examples([], {}) == []


def test_of_many_turns_the_first_are_shown_and_of_a_pair_those_of_its_context() -> None:
    count = LONGEST + 2
    context = tuple(Turn("user", str(n)) for n in range(count))
    pair = Pair("p", context, PAIR.a, PAIR.b)
    acts = tuple((ASK,) if n % 2 else (TELL,) for n in range(count))
    (found,) = examples(
        [Annotation("p", ("user",) * count, acts, ((TELL,),), ((ASK,),))], {"p": pair}
    )
    assert [text for text, _ in found.turns] == ["0", "1", "2", "3"]


def test_turns_that_were_too_old_to_be_shown_are_no_part_of_an_example() -> None:
    pair = Pair("p", (Turn("user", "old"), *talk("c", "a", "b", "c").turns), PAIR.a, PAIR.b)
    held = replace(labelled("p", ASK, TELL, THANK), left_out=1)
    (found,) = examples([held], {"p": pair})
    assert [text for text, _ in found.turns] == ["a", "b", "c"]

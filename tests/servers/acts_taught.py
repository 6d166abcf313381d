"""Conversations whose acts a tagger can learn from their words."""

from __future__ import annotations

from assize.acts._annotations import Annotation
from assize.acts._labels import Act
from assize.base.conversation import Pair, Turn

ASK, TELL, THANK = (
    Act("Task", "Set Question"),
    Act("Task", "Inform"),
    Act("Social Obligations Management", "Thanking"),
)
QUESTIONS = ("Where is it?", "What is a lemma?", "Who wrote that?", "How does it work?")
FACTS = ("It is in the north.", "A lemma helps a proof.", "Nobody knows.", "It works by heat.")
THANKS = ("Thanks a lot!", "Thank you.", "Thanks, that helps.", "Many thanks!")


def conversation(number: int) -> Pair:
    place = number % 4
    return Pair(
        f"p{number}",
        (
            Turn("user", f"{QUESTIONS[place]} {number}"),
            Turn("assistant", FACTS[place]),
            Turn("user", THANKS[place]),
        ),
        (Turn("assistant", FACTS[place - 1]),),
        (Turn("assistant", QUESTIONS[place - 2]),),
    )


ITEMS = {f"p{number}": conversation(number) for number in range(20)}


def annotation(item: Pair) -> Annotation:
    roles = tuple(turn.role for turn in item.context)
    return Annotation(item.id, roles, ((ASK,), (TELL,), (THANK,)), ((TELL,),), ((ASK,),))


FIRST = {name: annotation(item) for name, item in ITEMS.items()}

"""DS4 and DS5: a simulated user who knows the topic, an assistant who sees documents."""

from __future__ import annotations

from dataclasses import dataclass

from assize.base.conversation import Reference, Turn
from assize.judging.calls import Asker
from assize.judging.steps import Step
from assize.simulate._recipes.asking import ASSISTANT, QUERY, QUESTION, USER, Asking
from assize.simulate._recipes.citations import citations, linked
from assize.simulate._recipes.plan import Talk
from assize.simulate._recipes.sources import Sources

OFFER = "How can I help you?"  # with which the assistant opens


@dataclass(frozen=True, slots=True)
class Sides:
    """Who plays whom.

    Args:
        assistant: also writes queries.
    """

    user: Asker
    assistant: Asker


async def take_turns(asking: Asking, sides: Sides, sources: Sources) -> Talk:
    """The dialogue of a plan, one utterance a call.

    Documents are looked up anew for each turn of the assistant: by all that was said so far, or
    by a query. It ends when a side says so, which is left out of its message, or at the limit
    of exchanges.

    Source: LLM-Rubric, appendix F, DS4 and DS5. Differs: prompts are ours, and sides answer by
    an object with one text.
    """
    talk = Talk(asking.plan, [Turn("assistant", OFFER)])
    number = 0
    while await _user_speaks(talk, asking, sides, number) and await _assistant_speaks(
        talk, asking, sides, sources, number
    ):
        number += 1
        if number == asking.most:
            talk.ended = "limit"
            break
    return talk


async def _user_speaks(talk: Talk, asking: Asking, sides: Sides, number: int) -> bool:
    """Whether the dialogue goes on."""
    prompt = USER if number else QUESTION
    step = await asking.ask(sides.user, prompt, number, talk.turns if number else ())
    return _said(talk, step, "user")


async def _assistant_speaks(
    talk: Talk, asking: Asking, sides: Sides, sources: Sources, number: int
) -> bool:
    """Whether the dialogue goes on."""
    query = "\n".join(one.text for one in talk.turns)
    if asking.plan.recipe.documents == "query":
        written = await asking.ask(sides.assistant, QUERY, number, talk.turns)
        if written.answer is None:
            talk.failed = written.failure
            return False
        query = written.answer["query"]
        talk.queries[len(talk.turns)] = query
    shown = await sources.found(query)
    step = await asking.ask(sides.assistant, ASSISTANT, number, talk.turns, shown)
    return _said(talk, step, "assistant", shown)


def _said(talk: Talk, step: Step, role: str, shown: tuple[Reference, ...] = ()) -> bool:
    """Adds what was said; whether the dialogue goes on."""
    if step.answer is None:
        talk.failed = step.failure
        return False
    text, end = step.answer["text"], step.answer["end"]
    if text and role == "user":
        talk.turns.append(Turn("user", text))
    elif text:
        cited = citations(text, shown).known
        talk.turns.append(Turn("assistant", text, linked(shown, cited)))
    if end:
        talk.ended = role
    return not end

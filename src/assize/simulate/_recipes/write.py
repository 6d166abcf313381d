"""A dialogue by each recipe: in one call, or turn by turn by a simulated user and an assistant.

Source: LLM-Rubric, appendix F. Differs: prompts are ours, and answers are objects that are read
strictly, and asked for again where they are none.
"""

from __future__ import annotations

from assize.base.conversation import Reference, Turn
from assize.base.judgment import Unscored
from assize.judging.steps import Step
from assize.simulate._recipes.asking import ASSISTANT, QUERY, QUESTION, USER, WHOLE, Asking
from assize.simulate._recipes.citations import citations, linked
from assize.simulate._recipes.plan import Talk

NONE_GIVEN = Unscored("no_documents", "the topic names no document whose text is known")
OFFER = "How can I help you?"  # with which the assistant opens


async def write_dialogue(asking: Asking) -> Talk:
    """The dialogue of a plan."""
    return await (take_turns if asking.plan.recipe.turn_by_turn else write_whole)(asking)


async def write_whole(asking: Asking) -> Talk:
    """DS1 to DS3: a model writes both sides in one call.

    Sources are shown once, before everything; they stand on the assistant's first turn, as in
    LLM-Rubric's release, and what any turn cites is one of them.
    """
    plan, talk = asking.plan, Talk(asking.plan)
    shown: tuple[Reference, ...] = ()
    if plan.recipe.documents == "given":
        shown = asking.sources.given(plan.topic)
        if not shown:
            talk.failed = NONE_GIVEN
            return talk
    elif plan.recipe.documents == "topic":
        talk.queries[1] = plan.topic.text
        shown = await asking.sources.found(plan.topic.text)
    step = await asking.ask(asking.assistant, WHOLE, sources=shown)
    if step.answer is None:
        talk.failed = step.failure
        return talk
    for exchange in step.answer["exchanges"]:
        talk.turns += [Turn("user", exchange["user"]), Turn("assistant", exchange["assistant"])]
    cited = [number for turn in talk.turns[1::2] for number in citations(turn.text, shown).known]
    talk.turns[1] = Turn("assistant", talk.turns[1].text, linked(shown, cited))
    talk.ended = "one call"
    return talk


async def take_turns(asking: Asking) -> Talk:
    """DS4 and DS5: a simulated user who knows the topic, an assistant who sees documents.

    Documents are looked up anew for each turn of the assistant: by all that was said so far, or
    by a query. It ends when a side says so, which is left out of its message, or at the limit
    of exchanges.
    """
    talk = Talk(asking.plan, [Turn("assistant", OFFER)])
    for number in range(asking.most):
        prompt, turns = (USER, talk.turns) if number else (QUESTION, [])
        step = await asking.ask(asking.user, prompt, number, turns)
        if not _add_turn(talk, step, "user"):
            return talk
        query = "\n".join(turn.text for turn in talk.turns)
        if asking.plan.recipe.documents == "query":
            step = await asking.ask(asking.assistant, QUERY, number, talk.turns)
            if step.answer is None:
                talk.failed = step.failure
                return talk
            query = talk.queries[len(talk.turns)] = step.answer["query"]
        shown = await asking.sources.found(query)
        step = await asking.ask(asking.assistant, ASSISTANT, number, talk.turns, shown)
        if not _add_turn(talk, step, "assistant", shown):
            return talk
    talk.ended = "limit"
    return talk


def _add_turn(talk: Talk, step: Step, role: str, shown: tuple[Reference, ...] = ()) -> bool:
    """Add what was said; return whether the dialogue goes on."""
    if step.answer is None:
        talk.failed = step.failure
        return False
    text, end = step.answer["text"], step.answer["end"]
    if text and role == "user":
        talk.turns.append(Turn("user", text))
    elif text:
        talk.turns.append(Turn("assistant", text, linked(shown, citations(text, shown).known)))
    if end:
        talk.ended = role
    return not end

"""DS1 to DS3: a model writes the whole dialogue, both sides of it, in one call."""

from __future__ import annotations

from assize.base.conversation import Reference, Turn
from assize.base.judgment import Unscored
from assize.judging.calls import Asker
from assize.simulate._recipes.asking import WHOLE, Asking
from assize.simulate._recipes.citations import citations, linked
from assize.simulate._recipes.plan import Plan, Talk
from assize.simulate._recipes.sources import Sources

NONE_GIVEN = Unscored("no_documents", "the topic names no document whose text is known")


async def write_whole(asking: Asking, asker: Asker, sources: Sources) -> Talk:
    """The dialogue of a plan.

    Sources are shown once, before everything; they stand on the assistant's first turn, as in
    LLM-Rubric's release, and what any turn cites is one of them.

    Source: LLM-Rubric, appendix F, DS1 to DS3. Differs: the answer is an object that is read
    strictly, and asked for again where it is none; the prompt is ours.
    """
    plan = asking.plan
    shown = await _documents(plan, sources)
    talk = Talk(plan)
    if plan.recipe.documents == "given" and not shown:
        talk.failed = NONE_GIVEN
        return talk
    if plan.recipe.documents == "topic":
        talk.queries[1] = plan.topic.text
    step = await asking.ask(asker, WHOLE, sources=shown)
    if step.answer is None:
        talk.failed = step.failure
        return talk
    for one in step.answer["exchanges"]:
        talk.turns += [Turn("user", one["user"]), Turn("assistant", one["assistant"])]
    cited = [number for turn in talk.turns[1::2] for number in citations(turn.text, shown).known]
    talk.turns[1] = Turn("assistant", talk.turns[1].text, linked(shown, cited))
    talk.ended = "one call"
    return talk


async def _documents(plan: Plan, sources: Sources) -> tuple[Reference, ...]:
    if plan.recipe.documents == "given":
        return sources.given(plan.topic)
    if plan.recipe.documents == "topic":
        return await sources.found(plan.topic.text)
    return ()

"""The calls that a dialogue is made of: five prompts, each answered by a small JSON object."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from assize.base.conversation import Reference, Turn
from assize.base.errors import AnswerError
from assize.judging.calls import Asker, Call
from assize.judging.schemas import record, words
from assize.judging.steps import Step, Steps
from assize.simulate._recipes.plan import Plan
from assize.simulate._recipes.sources import Sources

END = "END OF CONVERSATION!"
WHOLE, QUESTION, USER, ASSISTANT, QUERY = (
    f"simulate-dialogue-{one}" for one in ("whole", "question", "user", "assistant", "query")
)
PROMPTS = (WHOLE, QUESTION, USER, ASSISTANT, QUERY)
STAGES = {one: f"dialogue-{one.rpartition('-')[2]}" for one in PROMPTS}
LONGEST = {WHOLE: 4096, QUESTION: 256, USER: 512, ASSISTANT: 1024, QUERY: 64}
"""Tokens of an answer."""

_OPEN, _CLOSE = r"""["“'‘*_`~<\[(]{0,8}""", r"""["”'’*_`~>\])]{0,8}"""
_WORDS = r"END[ _-]OF[ _-]CONVERSATION"
_MARKED = rf"{_OPEN}{_WORDS}[ \t]?[!.]{{0,8}}{_CLOSE}"
_SENTENCE_ENDS = r"""(?<=[^\w\s,;:"“'‘(\[–—-])\s{1,8}"""
_END = re.compile(
    rf"^[ \t#=-]*(?i:{_MARKED})[ \t#=-]*$"  # a line of its own
    rf"|{_SENTENCE_ENDS}(?i:{_MARKED})\s*\Z"  # the last sentence
    rf"|(?<!\w){_MARKED}[ \t]*$"  # in capitals at the end of any line
    # in capitals as a sentence
    rf"|(?:^[ \t]*|{_SENTENCE_ENDS}){_OPEN}{_WORDS}!{{1,8}}{_CLOSE}(?=\s{{1,8}}[^\sa-z])",
    re.MULTILINE,
)
_SPEAKER = re.compile(r"(?:user|assistant|human|ai)\s*:\s*", re.IGNORECASE)
_OTHER = re.compile(r"^[ \t]*(?:User|Assistant|Human|AI)[ \t]*:", re.MULTILINE)
_TEXT = record(text=words())
_QUERY = record(query=words())
_WHOLE = record(exchanges={"type": "array", "items": record(user=words(), assistant=words())})

JSON = Mapping[str, Any]


def seeded(asker: Asker, seed: int) -> Asker:
    """The asker with another seed, and the same prompts."""
    other = copy(asker)
    other.settings = replace(asker.settings, seed=seed)
    return other


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks for one plan, each call a step that is asked once.

    Args:
        most: exchanges, at most.
        assistant: also writes queries, and whole dialogues; `user` plays the user turn by turn.
    """

    plan: Plan
    steps: Steps
    most: int
    assistant: Asker
    user: Asker
    sources: Sources

    async def ask(
        self,
        asker: Asker,
        prompt: str,
        number: int = 0,
        turns: Sequence[Turn] = (),
        sources: Sequence[Reference] = (),
    ) -> Step:
        """One call; what is wrong with its answer is told to the model, which is asked again.

        Args:
            number: exchanges that there were before.
            turns: what was said, shown without its sources.
            sources: what is shown, in order.
        """
        plan = self.plan
        said = [replace(turn, references=()) for turn in turns]
        shown = [f"{source.title}\n{source.text}".strip() for source in sources]
        values: dict[str, Any] = {"turns": said, "sources": shown, "most": self.most}
        # The assistant that searches is told nothing of what only its user knows.
        if prompt not in (ASSISTANT, QUERY):
            values |= {"topic": plan.topic.text, "persona": plan.persona}
        texts = [*shown, *(turn.text for turn in said)]
        texts += [text for name in ("topic", "persona") if (text := values.get(name))]
        call = Call(
            prompt,
            values,
            texts,
            _WHOLE if prompt == WHOLE else _QUERY if prompt == QUERY else _TEXT,
            self._check(prompt, number),
            (plan.id, f"{STAGES[prompt]} {number}"),
            LONGEST[prompt],
        )
        sent = [
            asker.model.name,
            asker.prompt(prompt).hash,
            number,
            {**values, "turns": [[turn.role, turn.text] for turn in said]},
            asker.settings.temperature,
            asker.settings.seed,
            call.max_tokens,
        ]
        return await self.steps.take(
            STAGES[prompt], f"{plan.id} {number}", sent, partial(asker.ask_or_unscored, call)
        )

    def _check(self, prompt: str, number: int) -> Callable[[JSON], JSON]:
        if prompt == WHOLE:
            return lambda value: _exchanges(value, self.most)
        if prompt == QUERY:
            return _query
        first = prompt == QUESTION or (prompt == ASSISTANT and number == 0)
        return lambda value: utterance(value["text"], may_be_silent=not first)


def utterance(said: str, *, may_be_silent: bool = True) -> dict[str, Any]:
    """A message without the words that end a conversation, and whether they stood there.

    Raises:
        AnswerError: it is empty, though nothing ends, or holds messages of both sides.

    >>> utterance("Thanks! END OF CONVERSATION!")
    {'text': 'Thanks!', 'end': True}
    """
    text = said.strip()
    opening = _SPEAKER.match(text)
    if opening is not None:
        text = text[opening.end() :]
    text, ends = _END.subn("", text)
    text = text.strip()
    # One such line may be a field, as in `User: admin`; two are a talk.
    if (opening is not None) + len(_OTHER.findall(text)) > 1:
        raise AnswerError("it holds messages of both sides; write one message, yours")
    if not text and not (ends and may_be_silent):
        problem = "the message is empty" if not ends else "the talk has only begun; write a message"
        raise AnswerError(problem)
    return {"text": text, "end": bool(ends)}


def _query(value: JSON) -> JSON:
    text = " ".join(value["query"].split())
    if not text:
        raise AnswerError("the query is empty")
    return {"query": text}


def _exchanges(value: JSON, most: int) -> JSON:
    """Messages of the user and the assistant in turn."""
    found = value["exchanges"]
    if not 1 <= len(found) <= most:
        raise AnswerError(f"there are {len(found)} exchanges; allowed are 1 to {most}")
    return {
        "exchanges": [
            {
                side: utterance(one[side], may_be_silent=False)["text"]
                for side in ("user", "assistant")
            }
            for one in found
        ]
    }

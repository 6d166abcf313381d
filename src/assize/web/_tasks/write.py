"""`write`: one person writes both sides of a conversation, for a scenario, persona and style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from pydantic import Field as Setting

from assize.base.conversation import Conversation, Item, Role, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Order, Question
from assize.base.signature import json_hash
from assize.simulate._topics_file import Topic, read_topics
from assize.web._forms.form import Answers, Field, Form, FormSection
from assize.web._tasks.definition import Settings, Task, problem_in, settings_of
from assize.web._tasks.inputs import only
from assize.web._tasks.kind import Kind
from assize.web._tasks.rows import Rating, judgment

NOTE = "note"
WRITTEN = Question("written", "How many turns were written?", "number", audience="people")
_SHOWN = ("persona", "style", "difficulty")


class WriteSettings(Settings):
    """Of a task for writers."""

    least: int = Setting(6, ge=1, le=100)  # turns of both sides
    most: int = Setting(24, ge=1, le=100)
    first: Literal["user", "assistant"] = "user"  # who begins


class Write(Kind):
    """Writes both sides of a conversation.

    Items are briefs, a topic each: `text` is the scenario, with `persona`, `style` and `difficulty`
    where they are given. A brief is kept as a conversation of one system turn. What was written
    leaves as a conversation (`made`), and as a judgment that counts its turns.

    Source: UPHELD (under review), section 3 and appendix D: scripts by professional writers, who
    chose the length, for prompts with a scenario, a persona and a style.
    """

    name = "write"
    about = "write both sides of a conversation"
    template = "brief.html"
    counts = (WRITTEN.id,)

    def check(self, task: Task) -> None:
        """Raises DataError where the fewest turns are more than the most."""
        given = settings_of(task, WriteSettings)
        if given.least > given.most:
            raise problem_in(task, f"least is above most, {given.most}", "settings", "least")

    def items(self, task: Task) -> Sequence[Item]:
        """The briefs of the task's files."""
        if not task.items:
            raise problem_in(task, "name a file of briefs", "items")
        try:
            return [brief_of(one) for one in read_topics([task.file(one) for one in task.items])]
        except DataError as error:
            raise problem_in(task, str(error), "items") from None

    def form(self, task: Task, item: Item) -> Form:
        """A text for each turn, of both sides in turn; the last ones may stay empty."""
        given = settings_of(task, WriteSettings)
        fields = [
            _field(at, role_at(at, given.first), required=at < given.least)
            for at in range(given.most)
        ]
        sections = [FormSection("The conversation", tuple(fields[: given.least]))]
        if fields[given.least :]:
            sections.append(FormSection("More turns", tuple(fields[given.least :]), folded=True))
        remark = Question(NOTE, "Anything the proofreader should know?", "text")
        sections.append(FormSection("", (Field(NOTE, remark, "lines", required=False),)))
        return Form(tuple(sections), check=partial(_gaps, given.most))

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The brief."""
        return shown_brief(only(item, Conversation))

    def questions(self, task: Task) -> Sequence[Question]:
        """That which counts the turns."""
        return [WRITTEN]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """How many turns were written; the text itself is what the form makes."""
        texts, note = _texts(answers), answers.get(NOTE)
        return [
            judgment(
                item.id,
                WRITTEN.id,
                None,
                rating,
                score=float(len(texts)),
                explanation=None if note is None else str(note),
            )
        ]

    def asked(self, task: Task, item: Item) -> Sequence[tuple[str, int | None]]:
        """How many turns were written."""
        return [(WRITTEN.id, None)]

    def instructions(self, task: Task) -> str:
        """How to write."""
        given = settings_of(task, WriteSettings)
        return (
            "Write both sides of a conversation for the brief beside the form, turn after turn, in"
            " words that people would use. Keep to the persona and the style throughout. Let the"
            " conversation take its course and end where it would; it need not go straight to its"
            f" goal. Write at least {given.least} turns and at most {given.most}."
        )

    def made(self, task: Task, item: Item, answers: Answers, rating: Rating) -> Sequence[Item]:
        """The conversation; `metadata.written` says for which brief, and by a token by whom."""
        given, brief = settings_of(task, WriteSettings), only(item, Conversation)
        texts = _texts(answers)
        if not texts:
            return ()
        by = token_of(task, rating.person)
        turns = [Turn(role_at(place, given.first), text) for place, (_, text) in enumerate(texts)]
        return [
            Conversation(
                f"{brief.id}-{by}{f'-{rating.repeat}' if rating.repeat else ''}",
                tuple(turns),
                metadata={
                    **brief.metadata,
                    "scenario": _scenario(brief),
                    "written": {"task": task.name, "brief": brief.id, "by": by},
                },
            )
        ]


def brief_of(topic: Topic) -> Conversation:
    """A brief as a conversation: its scenario is what a system turn says."""
    known = {"persona": topic.persona, **topic.extra}
    said = {name: value for name, value in known.items() if value is not None}
    turns = (Turn("system", topic.text),)
    return Conversation(topic.id, turns, metadata={**topic.metadata, **said})


def token_of(task: Task, person: int) -> str:
    """Eight digits that stand for a writer where they must not be known.

    They are not made of the name: who knows the names cannot tell whose they are, and they stay
    when the person leaves and is renamed.
    """
    return json_hash(["writer", task.seed, person], digits=8)


def shown_brief(brief: Conversation) -> dict[str, Any]:
    """Scenario, persona, style and difficulty of a brief, or of what was written for one."""
    about = {name: str(brief.metadata[name]) for name in _SHOWN if brief.metadata.get(name)}
    return {"scenario": _scenario(brief), "about": about}


def role_at(place: int, first: Role) -> Role:
    """Who speaks at a place, where both sides take turns."""
    other: Role = "assistant" if first == "user" else "user"
    return first if place % 2 == 0 else other


def turn_name(place: int) -> str:
    """The name of the field that holds a turn's text."""
    return f"turn-{place}"


def _scenario(brief: Conversation) -> str:
    said = brief.metadata.get("scenario")
    if said is None and brief.turns and brief.turns[0].role == "system":
        return brief.turns[0].text
    return "" if said is None else str(said)


def _field(place: int, role: Role, *, required: bool) -> Field:
    asked = Question(turn_name(place), f"{place + 1}. {role.capitalize()}", "text")
    return Field(turn_name(place), asked, "lines", required=required)


def _texts(answers: Answers) -> list[tuple[int, str]]:
    """The turns that were written, by their place."""
    found = [
        (int(name.removeprefix("turn-")), str(text))
        for name, text in answers.items()
        if name.startswith("turn-")
    ]
    return sorted(found)


def _gaps(most: int, answers: Answers) -> Mapping[str, str]:
    """An empty turn with others behind it, which would exchange the speakers."""
    there = [turn_name(place) in answers for place in range(most)]
    last = max((place for place, written in enumerate(there) if written), default=-1)
    return {
        turn_name(place): "Write this turn, or empty those that follow it."
        for place in range(last)
        if not there[place]
    }

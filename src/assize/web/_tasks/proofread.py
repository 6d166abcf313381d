"""`proofread`: another person reads what was written, accepts it, edits it, or rejects it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pydantic import Field as Setting

from assize.base.conversation import Conversation, Item, Turn
from assize.base.judgment import Judgment, Order, Question
from assize.web._forms.form import Answers, Field, Form, FormSection, When
from assize.web._tasks.definition import Settings, Task, problem_in, settings_of
from assize.web._tasks.inputs import items_of, only
from assize.web._tasks.kind import Kind
from assize.web._tasks.rows import Rating, judgment
from assize.web._tasks.shown import shown_turns
from assize.web._tasks.write import Write, shown_brief, token_of, turn_name

ACCEPTED, EDITED, REJECTED = "accepted", "edited", "rejected"
VERDICT, CHECKS, COMMENT = "proofread", "checks", "comment"
_WORDS = {
    ACCEPTED: "it is right as it stands",
    EDITED: "it is right with the changes made in its turns",
    REJECTED: "it has to be written anew",
}
PROOFREAD = Question(
    VERDICT,
    "Can the conversation be used?",
    "nominal",
    (ACCEPTED, EDITED, REJECTED),
    labels=_WORDS,
    audience="people",
)


class ProofreadSettings(Settings):
    """Of a task for proofreaders; conversations come from a writers' task or from files."""

    of: str = ""  # the task whose conversations are read as they are written
    checks: list[str] = Setting(
        default=[
            "It keeps to the scenario",
            "The persona holds throughout",
            "The style holds throughout",
            "People would say this in these words",
        ]
    )  # what is ticked where it holds


class Proofread(Kind):
    """Accepts a written conversation, edits its turns, or rejects it; never one's own.

    One row, question `proofread`: accepted, edited or rejected, the comment as its explanation,
    what holds and which turns were changed in its details. A conversation that was not rejected
    leaves as a record (`made`), with the same id and the proofread text.

    A lead sends what is rejected back to its writer (`queue.rejections`). One proofreader reads
    each; for a second one, another task has the same source.

    Source: UPHELD, appendix D: all conversations were checked by proofreaders and another writer.
    """

    name = "proofread"
    about = "read what another person wrote, and accept, edit or reject it"
    template = "proofread.html"
    how = (
        "Read the whole conversation beside its brief. Accept it, or change what is wrong in"
        " the turns themselves; a turn whose text you empty is left out. Reject it only where"
        " changes to single turns would not do, and say what the writer should know: they read"
        " your words, without your name, when it is sent back to them."
    )

    def check(self, task: Task) -> None:
        """Raises DataError where neither a task nor a file says what is read, or two would make
        records of one id."""
        given = settings_of(task, ProofreadSettings)
        if not given.of and not task.items:
            problem = "name the writers' task, or files of conversations"
            raise problem_in(task, problem, "settings", "of")
        if given.of == task.name:
            raise problem_in(task, "a task cannot read itself", "settings", "of")
        if task.raters_per_item > 1:
            problem = "a conversation is proofread once in a task; for a second time, add a task"
            raise problem_in(task, problem, "raters_per_item")

    def items(self, task: Task) -> Sequence[Item]:
        """The conversations of the task's files; what is written in a task comes as it is sent."""
        return items_of(task, Conversation) if task.items else []

    def form(self, task: Task, item: Item) -> Form:
        """The verdict, beside each turn its text to be edited, what holds, and a comment."""
        talk, given = only(item, Conversation), settings_of(task, ProofreadSettings)
        fields = [Field(VERDICT, PROOFREAD)]
        fields += [
            _turn(place, turn.text) for place, turn in enumerate(talk.turns) if _editable(turn)
        ]
        if given.checks:
            offered = Question(CHECKS, "What holds?", "nominal", tuple(given.checks))
            fields.append(Field(CHECKS, offered, "checks", required=False))
        remark = Question(COMMENT, "What should the writer know?", "text")
        fields.append(Field(COMMENT, remark, "lines", required=False))
        return Form((FormSection("", tuple(fields)),), check=partial(_problems, talk))

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The brief and the conversation; not who wrote it."""
        talk = only(item, Conversation)
        return {**shown_brief(talk), "turns": shown_turns(talk.turns)}

    def questions(self, task: Task) -> Sequence[Question]:
        """The verdict."""
        return [PROOFREAD]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """The verdict, with what was changed."""
        talk = only(item, Conversation)
        comment, holds = answers.get(COMMENT), answers.get(CHECKS, [])
        changed = [
            place
            for place, text in enumerate(_edited(talk, answers))
            if text != talk.turns[place].text
        ]
        return [
            judgment(
                item.id,
                VERDICT,
                str(answers[VERDICT]),
                rating,
                explanation=None if comment is None else str(comment),
                details={"holds": list(holds), "changed_turns": changed},
            )
        ]

    def made(self, task: Task, item: Item, answers: Answers, rating: Rating) -> Sequence[Item]:
        """The conversation as it was accepted; nothing where it was rejected."""
        verdict = answers.get(VERDICT)
        if verdict not in (ACCEPTED, EDITED):
            return ()
        talk = only(item, Conversation)
        turns = [
            replace(turn, text=text)
            for turn, text in zip(talk.turns, _edited(talk, answers), strict=True)
            if text or turn.tool_calls or not _editable(turn)
        ]
        read = {"task": task.name, "verdict": verdict, "by": token_of(task, rating.person)}
        return [replace(talk, turns=tuple(turns), metadata={**talk.metadata, "proofread": read})]


def writers_of(task: Task, tasks: Sequence[Task]) -> Task | None:
    """The writers' task whose texts a task reads; None where it reads files, or nothing.

    Args:
        tasks: of the same project.
    """
    if task.kind != Proofread.name:
        return None
    name = settings_of(task, ProofreadSettings).of
    return next((other for other in tasks if (other.kind, other.name) == (Write.name, name)), None)


def _turn(place: int, text: str) -> Field:
    asked = Question(turn_name(place), "The text of this turn", "text")
    return Field(
        turn_name(place),
        asked,
        "lines",
        required=False,
        turn=place,
        initial=(text,),
        when=When(VERDICT, (EDITED,)),
    )


def _edited(talk: Conversation, answers: Answers) -> list[str]:
    """The text of each turn as the proofreader leaves it; "" where it is left out."""
    if answers.get(VERDICT) != EDITED:
        return [turn.text for turn in talk.turns]
    found = []
    for place, turn in enumerate(talk.turns):
        said = str(answers.get(turn_name(place), ""))
        same = said == turn.text.replace("\r\n", "\n").strip()
        found.append(turn.text if same or not _editable(turn) else said)
    return found


def _editable(turn: Turn) -> bool:
    """Whether somebody wrote the turn: what tools answered is not changed."""
    return turn.role in ("user", "assistant")


def _problems(talk: Conversation, answers: Answers) -> Mapping[str, str]:
    verdict = answers.get(VERDICT)
    if verdict == REJECTED and COMMENT not in answers:
        return {COMMENT: "Please say what has to change."}
    if verdict != EDITED:
        return {}
    texts = _edited(talk, answers)
    if not any(texts):
        return {VERDICT: "Nothing is left of the conversation; reject it, or keep a turn."}
    if texts == [turn.text for turn in talk.turns]:
        return {VERDICT: "No turn was changed. Accept it, or change what is wrong."}
    return {}

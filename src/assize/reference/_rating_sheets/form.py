"""What a form asks: the columns that people fill in, the instructions, and annotated examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from assize.base.conversation import Turn
from assize.base.judgment import Question
from assize.formats.research.upheld import QUESTIONS

FormName = Literal["ratings", "phrasing"]
ROW, HISTORY, A, B = "row", "chat_history", "Option A", "Option B"


@dataclass(frozen=True, slots=True)
class FormColumn:
    """A column that people fill in.

    Args:
        column: its name in the sheet.
        question: that it answers.
        answers: what its dropdown offers; () for free text.
        width: in characters.
    """

    column: str
    question: Question
    answers: tuple[str, ...] = ()
    width: float = 24

    def meant(self, cell: str) -> str | None:
        """The answer that a cell stands for; None where it is none.

        >>> STYLE.meant("3: somewhat the same style"), STYLE.meant("3"), STYLE.meant("2")
        ('3', '3', None)
        """
        if not self.answers:
            return cell
        for answer in self.answers:
            value = answer.partition(":")[0]
            if cell.strip().casefold() in (answer.casefold(), value.casefold()):
                return value
        return None


@dataclass(frozen=True, slots=True)
class Example:
    """An annotated row: texts, what somebody filled in, and why."""

    context: tuple[Turn, ...]
    a: str
    b: str
    filled: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked of each row.

    Args:
        asked: the columns to fill in.
        optional: those of them that may stay empty.
        instructions: (heading, text) one below the other.
        examples: annotated ones.
    """

    name: FormName
    asked: tuple[FormColumn, ...]
    instructions: tuple[tuple[str, str], ...]
    examples: tuple[Example, ...]
    optional: tuple[str, ...] = ()

    @property
    def questions(self) -> Mapping[str, Question]:
        """By id."""
        return {one.question.id: one.question for one in self.asked}


_CONTENT, _STYLE, _REASONABLENESS = QUESTIONS
CONTENT = FormColumn(
    "score_task_1_content",
    _CONTENT,
    ("1: strongly disagree", "2: disagree", "3: neutral", "4: agree", "5: strongly agree"),
)
STYLE = FormColumn(
    "score_task_2_style",
    _STYLE,
    ("1: different styles", "3: somewhat the same style", "5: the same style"),
)
REASONABLENESS = FormColumn(
    "score_task_3_reasonableness",
    _REASONABLENESS,
    ("1: not a reasonable continuation", "5: a reasonable continuation"),
    width=30,
)
PHRASING = FormColumn(
    "phrasing",
    Question(
        "phrasing",
        "Does Option B sound as if a person had written it, or like a template?",
        "binary",
        ("template", "human"),
        (0.0, 1.0),
    ),
    ("human", "template"),
    width=14,
)
DIFFERENCE = FormColumn(
    "difference",
    Question("difference", "What is the main difference of Option B from Option A?", "text"),
    width=40,
)
THEME = FormColumn(
    "theme",
    Question("theme", "Under which theme does the difference fall?", "text"),
    width=24,
)
_HOW = (
    "How to fill it in",
    "On the sheet `ratings` each row is a conversation so far (chat_history) and two ways to"
    " continue it, Option A and Option B. Fill in the yellow cells. Where a cell has a dropdown,"
    " choose one of its answers. Look at the sheet `examples` first. You need not explain your"
    " answers. Keep the first column as it is: by it your answers find their way back.",
)
_TALK = (
    Turn("user", "How do I get a red wine stain out of a shirt?"),
    Turn("assistant", "How long has it been there?"),
    Turn("user", "Since last night."),
)
_SHORT = "Soak it in cold water with a little dish soap for an hour, then wash it as usual."
_SAME = "An hour in cold water with some dish soap, then into the normal wash."
_LONG = (
    "As an AI, I would suggest the following steps. 1. Mix cold water with dish soap. 2. Soak the"
    " shirt for an hour. 3. Wash it as usual. In addition, you may consider white vinegar, baking"
    " soda, or a commercial stain remover, each of which has its advantages."
)
_OFF = "well , that was because the train left early ."
RATINGS = Form(
    "ratings",
    (CONTENT, STYLE, REASONABLENESS),
    (
        _HOW,
        (
            "Task 1: content",
            "How far do you agree that both options convey the same information? Speaking for a"
            " high score:\n"
            "- B tells whatever A tells.\n"
            "- The conversation would take the same course after either.\n"
            "- One could stand in place of the other; both mean the same.\n"
            "Rules:\n"
            "- Keep the conversation in mind. Rate an option that is cut short as it stands.\n"
            "- B tells all that A tells and is relevant, but is wordier or more detailed: at most"
            " 3.\n"
            "- B adds details that neither elaborate on A nor belong to the conversation: lower"
            " the score.\n"
            "- B cannot be read or makes no sense: 3.\n"
            "- B says of itself that it is an AI: that lowers nothing.",
        ),
        (
            "Task 2: style",
            "How far do you agree that the style of both is the same, as if one person in one mood"
            " spoke in both?\n"
            "- Compare words, tone and the way sentences are built; read both out loud.\n"
            "- Neither content nor length counts: the same person who speaks about something else,"
            " or for longer, gets a high score.\n"
            "- The assistant's turns in the conversation can serve as a measure.",
        ),
        (
            "Task 3: reasonableness",
            "This is about Option B alone. Is it a reasonable way to continue? If you were the user"
            " and received it, would you be content with the conversation?\n"
            "- B may be quite different from A. Rate a text that is cut short up to where it"
            " ends.\n"
            "- That B says of itself that it is an AI lowers nothing.\n"
            "Each of these is reason enough for a 1:\n"
            "- It cannot be read, is random, or gets off the topic.\n"
            "- It is far too wordy, or tells far too much.\n"
            "- It adds nothing helpful, and asks for nothing that would help.\n"
            "- It is rude or aggressive, or its tone or language does not belong here.",
        ),
    ),
    (
        Example(
            _TALK,
            _SHORT,
            _SAME,
            ("5: strongly agree", "5: the same style", "5: a reasonable continuation"),
            "The same advice in the same plain manner.",
        ),
        Example(
            _TALK,
            _SHORT,
            _LONG,
            ("3: neutral", "1: different styles", "5: a reasonable continuation"),
            "All of A and much more: at most 3. A list where A talks. Naming itself an AI does"
            " not matter.",
        ),
        Example(
            _TALK,
            _SHORT,
            _OFF,
            ("1: strongly disagree", "1: different styles", "1: not a reasonable continuation"),
            "It has nothing to do with the conversation.",
        ),
    ),
)
COMPARED = Form(
    "phrasing",
    (PHRASING, DIFFERENCE, THEME),
    (
        _HOW,
        (
            "phrasing",
            "How does Option B sound: as a person would say it here (human), or as if it were put"
            " together from set phrases (template)? Judge the wording alone and not whether it is"
            " right.",
        ),
        (
            "difference",
            "In what does Option B differ most from Option A? A few words of your own are enough,"
            " such as: longer, asks nothing back, colder. Write same where you see no difference.",
        ),
        (
            "theme",
            "Leave this column empty unless you were asked to fill it in: the theme under which"
            " the difference falls. Part several by a semicolon.",
        ),
    ),
    (
        Example(_TALK, _SHORT, _SAME, ("human", "same", ""), "Other words, nothing else."),
        Example(
            _TALK,
            _SHORT,
            _LONG,
            ("template", "longer, a list, more remedies", ""),
            "Set phrases such as: I would suggest the following steps.",
        ),
    ),
    optional=("theme",),
)
FORMS: Mapping[str, Form] = {form.name: form for form in (RATINGS, COMPARED)}

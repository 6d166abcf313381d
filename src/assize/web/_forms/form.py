"""A form: what people are asked beside an item, in sections, and where it goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from assize.base.judgment import Question

Widget = Literal["radio", "checks", "pick", "text", "lines", "number"]
PassedOver = Literal["NA", "nothing"]

Answers = Mapping[str, str | list[str]]
"""By field name: an answer, or several of `checks` and `pick`."""

END = "end"


@dataclass(frozen=True, slots=True)
class When:
    """A field that is asked only after certain answers to an earlier one."""

    field: str
    answers: tuple[str, ...]

    def holds(self, answers: Answers) -> bool:
        """Whether one of the answers was given.

        >>> When("verdict", ("wrong",)).holds({"verdict": "wrong"})
        True
        """
        given = answers.get(self.field, ())
        return any(one in self.answers for one in ([given] if isinstance(given, str) else given))


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that is asked.

    Args:
        name: of the field in what is posted; the question's id where one field asks it all.
        question: whose answers are offered; its `text` is the legend.
        widget: `radio` one answer, `checks` any number, `pick` any number of a long list, each
            written with the browser's completion, `text` a line, `lines` several, `number`.
        required: whether the form may be sent without it.
        not_applicable: whether NA is offered.
        note: small print below the legend.
        turn: the turn beside which it stands, None for below all; turns count from 0 over all
            turns of the item, of a pair over context, a and b.
        when: the answer after which it is asked; None asks always.
        initial: what stands in it before anybody answered, such as a text to be edited.
    """

    name: str
    question: Question
    widget: Widget = "radio"
    required: bool = True
    not_applicable: bool = False
    note: str = ""
    turn: int | None = None
    when: When | None = None
    initial: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormSection:
    """Fields that stand together, with the definition that they share (Markdown).

    Args:
        folded: whether it is shown closed at first; never one with a required field.
    """

    title: str
    fields: tuple[Field, ...]
    instructions: str = ""
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked of one item.

    Args:
        skips: field -> answer -> `end`, or the name of a later field: where the form goes on
            after this answer.
        passed_over: what becomes of fields behind an answer that goes to `end`: `NA` is an
            answer in the records, `nothing` leaves no row at all. What is passed over on the way
            to a later field is always NA.
        check: what must hold between fields; problems by field name, asked once every field is
            right by itself.
    """

    sections: tuple[FormSection, ...]
    skips: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    passed_over: PassedOver = "NA"
    check: Callable[[Answers], Mapping[str, str]] | None = None

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields, in their order."""
        return tuple(one for section in self.sections for one in section.fields)

    def beside(self, turn: int) -> tuple[Field, ...]:
        """The fields that stand beside one turn."""
        return tuple(one for one in self.fields if one.turn == turn)

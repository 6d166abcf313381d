"""Forms: what is asked beside an item, and what was answered."""

from assize.webapp.forms.filled import LONGEST, MOST, Filled, fill, passed_over
from assize.webapp.forms.form import (
    END,
    Answers,
    Field,
    Form,
    FormSection,
    PassedOver,
    When,
    Widget,
)
from assize.webapp.forms.letters import keys
from assize.webapp.forms.view import FieldView, FormView, view, words

__all__ = [
    "END",
    "LONGEST",
    "MOST",
    "Answers",
    "Field",
    "FieldView",
    "Filled",
    "Form",
    "FormSection",
    "FormView",
    "PassedOver",
    "When",
    "Widget",
    "fill",
    "keys",
    "passed_over",
    "view",
    "words",
]

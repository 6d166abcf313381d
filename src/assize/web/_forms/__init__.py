"""Forms: what is asked beside an item, and what was answered."""

from assize.web._forms.filled import LONGEST, MOST, Filled, fill, passed_over
from assize.web._forms.form import END, Answers, Field, Form, FormSection, PassedOver, When, Widget
from assize.web._forms.letters import keys
from assize.web._forms.view import FieldView, FormView, view, words

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

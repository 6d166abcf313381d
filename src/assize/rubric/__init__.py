"""Rubrics: files of narrow questions, asked of models one by one, shown to people as a form.

rubric = load_rubric("information-seeking")     # or a file of your own
[question.id for question in rubric.asked("models")]
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

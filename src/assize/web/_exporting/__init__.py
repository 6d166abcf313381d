"""Ratings out of the database: judgments, records, history.

ratings, ratings_table   what holds now, as judgments
export_task, zip_task    a task in files, or in one
"""

from assize.web._exporting.folder import FORMS, Exported, Form, export_task, pilot_answers
from assize.web._exporting.history import Worked, history
from assize.web._exporting.ratings import ratings, ratings_table
from assize.web._exporting.zipped import zip_task

__all__ = [
    "FORMS",
    "Exported",
    "Form",
    "Worked",
    "export_task",
    "history",
    "pilot_answers",
    "ratings",
    "ratings_table",
    "zip_task",
]

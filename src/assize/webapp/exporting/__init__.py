"""Ratings out of the database: judgments, records, history.

ratings, ratings_table   what holds now, as judgments
export_task, zip_task    a task in files, or in one
"""

from assize.webapp.exporting.folder import FORMS, Exported, Form, export_task, pilot_answers
from assize.webapp.exporting.history import Worked, history
from assize.webapp.exporting.ratings import ratings, ratings_table
from assize.webapp.exporting.zipped import zip_task

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

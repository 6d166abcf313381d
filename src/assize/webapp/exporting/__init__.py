"""Ratings out of the database and into it: judgments, records, history.

ratings, ratings_table   what holds now, as judgments
export_task, zip_task    a task in files, or in one
import_task              such files taken up
import_ratings           people's judgments, from any tool
"""

from assize.webapp.exporting.folder import FORMS, Exported, Form, export_task, pilot_answers
from assize.webapp.exporting.history import Worked, history
from assize.webapp.exporting.importing import Imported, import_ratings, import_task
from assize.webapp.exporting.ratings import ratings, ratings_table
from assize.webapp.exporting.zipped import zip_task

__all__ = [
    "FORMS",
    "Exported",
    "Form",
    "Imported",
    "Worked",
    "export_task",
    "history",
    "import_ratings",
    "import_task",
    "pilot_answers",
    "ratings",
    "ratings_table",
    "zip_task",
]

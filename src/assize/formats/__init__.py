"""File formats: any conversation log in, records out; and back.

`own/` holds assize's records, `logs/` what other tools write, `research/` published data;
the files beside this one are what they share. To add a format, copy the smallest file in
`logs/`, add its `Format` to the tuple in `table.py`, and mirror its test.
"""

from assize.formats.format import Format
from assize.formats.items import Items, ItemsLike, read
from assize.formats.judgment_files import JudgmentsLike, read_any, read_judgments
from assize.formats.questions import questions_path, read_questions
from assize.formats.records import Record, parse, to_json
from assize.formats.rejects import Reject
from assize.formats.table import FORMATS
from assize.formats.writing import open_writer, write, write_questions

__all__ = [
    "FORMATS",
    "Format",
    "Items",
    "ItemsLike",
    "JudgmentsLike",
    "Record",
    "Reject",
    "open_writer",
    "parse",
    "questions_path",
    "read",
    "read_any",
    "read_judgments",
    "read_questions",
    "to_json",
    "write",
    "write_questions",
]

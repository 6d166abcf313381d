"""Where the questions of judgments stand: a file beside them, or a sheet of their workbook."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.base.line_checksum import unseal_record
from assize.formats.files import Location, is_url, open_input, plain_suffix
from assize.formats.records import question
from assize.formats.rows import decoded
from assize.formats.xlsx.reading import DEFINITION, QUESTIONS_SHEET, has_sheet, read_tables


def questions_beside(location: Location) -> tuple[Question, ...]:
    """The questions that stand in a file beside a table of judgments; () where none does.

    A workbook may hold them itself, as `calibrate template` writes it: they count where no file
    has the workbook's name.
    """
    if str(location) == "-":
        return ()
    beside = str(questions_path(location))
    if _exists(beside):
        return read_questions(beside)
    inside = _questions_inside(location)
    folder = _sibling(beside, "questions.json")
    return read_questions(folder) if not inside and _exists(folder) else inside


def _questions_inside(location: Location) -> tuple[Question, ...]:
    """The questions that a workbook's sheet of questions defines."""
    path = str(location)
    if plain_suffix(path).casefold() != ".xlsx" or not _exists(path):
        return ()
    with open_input(path) as stream:
        content = io.BytesIO(stream.read())
    if not has_sheet(content, QUESTIONS_SHEET):
        return ()
    tables = read_tables(io.BufferedReader(content), path).tables
    cells = [
        row.get(DEFINITION, "")
        for table in tables
        if table.name == QUESTIONS_SHEET
        for _, row in table.rows
    ]
    try:
        return tuple(question(decoded(cell)) for cell in cells if cell.startswith("{"))
    except ValueError as error:
        raise DataError(f"sheet {QUESTIONS_SHEET}: not JSON ({error})", source=path) from error
    except DataError as error:
        raise error.at(path, None) from None


def _exists(location: str) -> bool:
    if not is_url(location):
        return Path(location).is_file()
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(location)
        return bool(system.isfile(path))
    except Exception:  # an unknown or unreachable service holds no questions for us
        return False


def questions_path(location: Location) -> str | Path:
    """Return where the questions of a table of judgments are stored.

    `run/judgments.jsonl` -> `run/questions.json`, `scores.jsonl.gz` -> `scores.questions.json`.
    Text for a URL, else a Path.
    """
    name = Path(str(location)).name
    stem = name.removesuffix(".gz").removesuffix(".zst").rpartition(".")[0] or name
    path = _sibling(
        str(location), "questions.json" if stem == "judgments" else f"{stem}.questions.json"
    )
    return path if is_url(location) else Path(path)


def _sibling(location: str, name: str) -> str:
    if is_url(location):
        return f"{location.rpartition('/')[0]}/{name}"
    return str(Path(location).with_name(name))


def read_questions(location: Location) -> tuple[Question, ...]:
    """Read the questions of a `questions.json`, a list of question records.

    Raises:
        DataError: the file is missing, or an entry is not a question.
    """
    with open_input(location) as stream:
        try:
            values = decoded(stream.read().decode("utf-8-sig"))
        except ValueError as error:
            raise DataError(f"not JSON ({error})", source=str(location)) from error
    if not isinstance(values, list):
        raise DataError("expected a list of questions", source=str(location))
    try:
        return tuple(question(_unsealed(value)) for value in values)
    except DataError as error:
        raise error.at(str(location), None) from None


def _unsealed(value: Any) -> Any:
    """A question without the checksum that a run writes; raises DataError where it differs."""
    try:
        return unseal_record(value) if isinstance(value, dict) else value
    except ValueError as error:
        raise DataError(str(error)) from None

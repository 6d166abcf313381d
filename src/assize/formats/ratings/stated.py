"""Ratings under the names and answers of questions that are stated elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from assize.base.judgment import NOT_APPLICABLE, Question
from assize.formats.ratings.answers import defined
from assize.formats.ratings.headers import asked
from assize.formats.ratings.rating_table import QUESTION
from assize.judgments import JudgmentTable
from assize.judgments.table import names_array


def as_stated(
    table: JudgmentTable, stated: Iterable[Question], target: str | None = None
) -> JudgmentTable:
    """The table with questions that it only guesses called and answered as stated ones.

    `q1`, or the words of question Q1, are Q1; `Yes`, `4.0` or the label of an answer are that
    answer. Where one cell of a question is none of the answers, all stay as they are.

    Args:
        stated: questions that are defined.
        target: what the only question of a table with one column per rater is about.
    """
    known = {one.id: one for one in stated}
    if target is not None and table.inferred == {QUESTION} == set(table.asked) - {target}:
        table = table.renamed({QUESTION: target})
    names = {
        name: of
        for name in table.inferred - known.keys()
        if (of := _named(name, table.questions[name].text, known)) and of not in table.questions
    }
    if len(set(names.values())) == len(names):
        table = table.renamed(names)
    return _answered(table, {one: known[one] for one in table.inferred & known.keys()})


def _named(name: str, text: str, known: Mapping[str, Question]) -> str | None:
    """The stated question of that name or wording in any case, also below another header."""
    names = (asked(words, known).id for words in (name, text) if words)
    return next((id for id in names if id in known), None)


def _answered(table: JudgmentTable, stated: Mapping[str, Question]) -> JudgmentTable:
    """Answers as the questions have them, of each question all or none."""
    seen = table.answers_seen(known=table.questions.keys() - stated.keys())
    asked, names = table.codes("question")
    codes, answers = table.codes("answer")
    said = [*answers]
    changed = codes.copy()
    for name, question in stated.items():
        allowed = {*question.answers, NOT_APPLICABLE}
        found = {one: defined(one, question) for one in seen.get(name, ())}
        if not question.answers or set(found) <= allowed or None in found.values():
            continue
        rows = (asked == names.index(name)) & (codes >= 0)
        changed[rows] += len(said)
        said += [found.get(answer) or answer for answer in answers]
    if np.array_equal(changed, codes):
        return table
    arrow = table.replaced({"answer": names_array(said, changed)})
    return JudgmentTable(arrow, table.questions, table.inferred)

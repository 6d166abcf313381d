"""By which model, and on which scale, the judgments of a set were made."""

from __future__ import annotations

import re
from dataclasses import replace

from assize.criteria._criterion import LIKERT, NUMBERS, CriteriaSet, Scale
from assize.criteria._scoring import NAME
from assize.judgments import JudgmentTable
from assize.results.log import log

_JUDGE = re.compile(rf"{NAME}@(?:.+?\.ya?ml|[^@]+)(?:@(?P<model>[A-Za-z][\w-]*:.+))?")


def as_scored(whole: CriteriaSet, table: JudgmentTable) -> CriteriaSet:
    """The set with the model and the scale that its judgments come from.

    Threshold and window that are learnt on them hold for such scores and for no others. The
    set's own stay where judgments tell nothing: people made them, several models did, or the
    questions have another scale. A change is told.
    """
    rows = table.where(question=[row.id for row in whole.criteria if row.id in table.asked])
    model, scale = _model(whole, rows) or whole.model, _scale(rows) or whole.scale
    if model != whole.model:
        log.info("the set names %s, by which it was scored", model)
    if scale != whole.scale:
        log.info("the set's scale is %s, on which it was scored", scale)
    return replace(whole, model=model, scale=scale)


def _model(whole: CriteriaSet, rows: JudgmentTable) -> str | None:
    """The one model by which a set's judge was asked; a judge that names none asked the set's."""
    models = set()
    for judge in rows.judges:
        found = _JUDGE.fullmatch(judge)
        models.add(None if found is None else found["model"] or whole.model)
    return models.pop() if len(models) == 1 else None


def _scale(rows: JudgmentTable) -> Scale | None:
    """The scale on which all criteria were asked, where it is one of a set's."""
    asked = {rows.questions[one].answers for one in rows.asked}
    if asked == {LIKERT}:
        return "likert"
    return "numeric" if asked == {NUMBERS} else None

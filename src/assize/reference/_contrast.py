"""Two sources compared where people's scores differ: `assize reference contrast` and `themes`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assize.base.arguments import check_range
from assize.base.errors import ConfigError, DataError
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import judgments_of
from assize.reference._contrasts.result import Contrast, contrast_labels
from assize.reference._contrasts.turns import differing_turns, mean_scores, shuffled
from assize.reference._rating_sheets.form import COMPARED
from assize.reference._rating_sheets.labels import labels_of
from assize.reference._rating_sheets.workbook import read_key, write_form
from assize.reference._sheets import SheetWritten, continuations_in, describe_sheet


def contrast(
    items: ItemsLike,
    ratings: JudgmentsLike,
    sources: tuple[str, str],
    out: str | Path,
    *,
    question: str = "content",
    n: int = 60,
    least: float = 0.0,
    seed: int = 0,
) -> SheetWritten:
    """Draw turns that people scored differently for two sources, as a sheet to label.

    People say of each continuation whether it sounds human or like a template, and how it differs
    from the reference. The sheet hides the source. `assize reference themes` reads the labels back.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        ratings: judgments by people of these continuations (repeatable).
        sources: the two sources to compare, as the continuations name them.
        out: folder to write sheet.xlsx and key.json to; it must hold neither.
        question: question that people answered.
        n: number of turns to draw.
        least: difference of mean scores above which two sources differ.
        seed: random seed.

    Source: UPHELD, appendix G. Differs: it does not say by which score turns differ, nor by how
    much; here it is the mean of `question`, by more than `least`.

    Raises:
        ConfigError: a source is not there, or people did not answer the question.
        DataError: the scores differ nowhere.
        OutputError: the folder holds a sheet already.
    """
    check_range("n", n, 1)
    check_range("least", least, 0)
    if len(sources) != 2 or sources[0] == sources[1]:
        raise ConfigError(f"sources: received {', '.join(sources)}; give two different ones")
    table = judgments_of(ratings)
    if question not in table.questions:
        known = ", ".join(table.questions) or "none"
        raise ConfigError(f"no question {question!r}; asked were {known}")
    given = continuations_in(items)
    scores = mean_scores(table, table.questions[question])
    rng = np.random.default_rng(seed)
    pair = (sources[0], sources[1])
    drawn = differing_turns(given, scores, pair, n=n, least=least, rng=rng)
    if not drawn.turns:
        raise DataError(
            f"people's {question} of {pair[0]} and {pair[1]} differs at none of the"
            f" {drawn.compared} turns at which both have a score"
        )
    about = {
        "sources": list(pair),
        "question": question,
        "least": least,
        "seed": seed,
        "turns": len(drawn.turns),
        "differing": drawn.differing,
        "compared": drawn.compared,
        "higher": list(drawn.higher),
        "unscored": drawn.unscored,
    }
    key = write_form(Path(out), COMPARED, shuffled(drawn.turns, rng), about)
    told = [
        f"{len(drawn.turns)} turns drawn from {drawn.differing} of {drawn.compared} at which"
        f" people's {question} differs"
    ]
    if drawn.unscored:
        told.append(f"{drawn.unscored} turns were left out: no score of both, or no reference")
    return describe_sheet(out, key, told)


def themes(
    folder: str | Path,
    sheets: str | Path | Sequence[str | Path],
    *,
    seed: int = 0,
) -> Contrast:
    """Show how two sources sound and differ, from filled-in sheets.

    Gives the share of labels that say human, by source, with a test over turns; and themes of the
    differences: those in the sheet's column theme, else the notes as they are.

    Args:
        folder: folder that `assize reference contrast` wrote, with its key.json.
        sheets: filled-in workbooks, or their tables as CSV, one per rater: anna.xlsx, or anna=FILE
            (repeatable).
        seed: random seed.

    Source: UPHELD, appendix G and figure 5; it gives neither intervals nor a test.

    Raises:
        ConfigError: the folder's sheet asks for ratings and not for this.
        DataError: a sheet is not the one of this folder, or holds an answer that it does not
            offer.
    """
    key = read_key(folder)
    if key.form != COMPARED.name:
        raise ConfigError(
            f"{folder} holds a sheet for {key.form}; read it with assize.reference.labels"
            " (assize reference labels)"
        )
    return contrast_labels(key, labels_of(key, sheets), seed)

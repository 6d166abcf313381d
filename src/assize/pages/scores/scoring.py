"""`assize score`: numbers of a stream of scores and, as they pass, the table and the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.evaluator import Evaluator
from assize.evaluator._summary import ScoreCounter, Summary
from assize.formats import ItemsLike
from assize.pages.page import made_from
from assize.pages.scores.score_report import ScoreReport
from assize.scoring import Adapt, Scale
from assize.scoring.score import Scoring

NOTES = (
    "A score is the share of the evaluator's training conversations that it puts below this one.",
    "The shipped evaluator spots poor conversations; it does not rank strong assistants, check"
    " facts, or read languages other than English.",
)


def summarise_scores(
    items: ItemsLike,
    *,
    evaluator: Evaluator | str | Path = "default",
    out: str | Path | None = None,
    report: str | Path | None = None,
    turns: bool = False,
    explain: bool = False,
    fit: Adapt | Scale | None = None,
    ask: float | None = None,
    any_language: bool = False,
    keep: int = 200,
    quiet: bool = False,
    reproduce: Sequence[str] = (),
) -> Summary:
    """Scores conversations, pairs and continuations, offline and in a stream.

    Gives a summary; `out` gets one judgment a conversation and question
    (JSONL, .parquet or .csv), `report` a page with the lowest ones.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts, tables.
        evaluator: folder of a trained evaluator, or default, the shipped one.
        out: write the judgments here, as JSONL, .parquet or .csv.
        report: write a self-contained HTML page here.
        turns: also score every assistant turn.
        explain: say by how much each exchange moves a conversation's score.
        fit: labels of some of the items, to which the evaluator is fitted before it scores:
            `Adapt` or `Scale`.
        ask: name the conversations that people should rate, a share of all below 1, else so many:
            those of which the evaluator is least sure, that are unlike its training data, or
            near a decision level.
        any_language: score also conversations in another language than the evaluator's, but none
            of mostly unknown tokens.
        keep: how many conversations the page lists with their text.
        quiet: no progress and no notes.
        reproduce: command lines that lead to the page, which it shows.

    Raises:
        DataError, MissingExtra: as `assize.score`.
    """
    if ask is not None and not ask > 0:
        raise ConfigError(f"ask: received {ask:g}; give a share below 1, or how many")
    check_range("keep", keep, 0)
    asked = Scoring(
        items,
        evaluator,
        out,
        turns,
        quiet,
        explain,
        fit,
        ask is not None,
        any_language,
    )
    counter = ScoreCounter(asked.judge, ask=ask)
    page = None if report is None else ScoreReport(asked.judge.questions, keep=keep)
    with asked.scored() as found:
        for item, rows in found:
            counter.add(item, rows)
            if page is not None:
                page.add(item, rows)
    if page is not None and report is not None:
        with made_from(*asked.source.paths):
            page.write(report, title="Scores", notes=NOTES, reproduce=reproduce)
    return counter.summary(
        adapted=asked.adapted,
        passed_over=asked.source.passed_over,
        rejects=asked.rejects,
        page=None if report is None else str(report),
    )

"""Scores of conversations, pairs and continuations, from an evaluator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from assize.base.arguments import check_range
from assize.base.conversation import Item, Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._adapt import adapt
from assize.evaluator._adapting.result import Adaptation
from assize.evaluator._scoring import score_items
from assize.formats import Items, ItemsLike, JudgmentsLike, open_writer, read, write_questions
from assize.formats.rejects import rejects_beside
from assize.judgments import JudgmentTable
from assize.results.log import log
from assize.running.progress import progress
from assize.scoring.counter import ScoreCounter
from assize.scoring.summary import ScoreSummary


def score(
    items: ItemsLike,
    *,
    evaluator: Evaluator | str | Path = "default",
    out: str | Path | None = None,
    turns: bool = False,
    explain: bool = False,
    fit: Adapt | Scale | None = None,
    any_language: bool = False,
    quiet: bool = False,
) -> JudgmentTable:
    """Score conversations, pairs and continuations, offline.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        evaluator: folder of a trained evaluator, or default for the shipped one. In Python also
            what `assize.evaluator.load_evaluator` gives.
        out: file to write the judgments to (.jsonl, .parquet or .csv). One a conversation and
            question, with the questions beside it.
        turns: also score every assistant turn.
        explain: say by how much each exchange moves a conversation's score.
        fit: labels of some of the items, to which the evaluator is fitted before it scores:
            `Adapt` or `Scale`.
        any_language: also score conversations in other languages than the evaluator's, except those
            of mostly unknown tokens.
        quiet: no progress and no notes.

    Returns:
        One row an item and question, and a turn where `turns` are asked for; an item that
        cannot be scored is unscored, with its reason. `iter_score` holds no rows in memory.

    Raises:
        DataError: a record is bad and `on_error` is `fail`, there is nothing to score, or
            fewer than 20 labels fit an item.
        ConfigError: items that can be read only once are to fit an evaluator.
        MissingExtra: a part of the extra `score` is not installed.
    """
    scoring = Scoring(items, evaluator, out, turns, quiet, explain, fit, any_language=any_language)
    rows: list[Judgment] = []
    with scoring.scored() as scored:
        for _, judgments in scored:
            rows += judgments
    return JudgmentTable.of(rows, scoring.questions)


def summarise_scores(
    items: ItemsLike,
    *,
    evaluator: Evaluator | str | Path = "default",
    out: str | Path | None = None,
    turns: bool = False,
    explain: bool = False,
    fit: Adapt | Scale | None = None,
    ask: float | None = None,
    any_language: bool = False,
    keep: int = 200,
    quiet: bool = False,
) -> ScoreSummary:
    """Score conversations, pairs and continuations, offline and as they stream in.

    Prints a summary. `out` gets one judgment per conversation and question (JSONL, .parquet or
    .csv); the page lists the lowest ones.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        evaluator: folder of a trained evaluator, or default for the shipped one.
        out: file to write the judgments to (.jsonl, .parquet or .csv).
        turns: also score every assistant turn.
        explain: show how much each exchange moves a conversation's score, and whose votes the
            evaluator follows.
        fit: labels of some of the items, to which the evaluator is fitted before it scores:
            `Adapt` or `Scale`.
        ask: also name the conversations that people should rate first (least certain, unlike the
            training data, or near a decision level), as a share below 1 or a number.
        any_language: also score conversations in other languages than the evaluator's, except those
            of mostly unknown tokens.
        keep: number of conversations that the page lists with their text.
        quiet: no progress and no notes.

    Raises:
        DataError, MissingExtra: as `assize.score`.
    """
    if ask is not None and not ask > 0:
        raise ConfigError(f"ask: received {ask:g}; give a share below 1, or how many")
    check_range("keep", keep, 0)
    doubt = ask is not None
    scoring = Scoring(items, evaluator, out, turns, quiet, explain, fit, doubt, any_language)
    judge = scoring.judge
    counter = ScoreCounter(judge.questions, keep=keep, evaluator=judge, ask=ask)
    with scoring.scored() as scored:
        for item, rows in scored:
            counter.add(item, rows)
    return counter.summary(
        adapted=scoring.adapted, passed_over=scoring.source.passed_over, rejects=scoring.rejects
    )


def iter_score(
    items: ItemsLike,
    *,
    evaluator: Evaluator | str | Path = "default",
    turns: bool = False,
    explain: bool = False,
    any_language: bool = False,
) -> Iterator[Judgment]:
    """Yield what `score` returns, one judgment at a time, in constant memory."""
    scoring = Scoring(
        items,
        evaluator,
        None,
        turns,
        quiet=True,
        explain=explain,
        any_language=any_language,
    )
    with scoring.scored() as scored:
        for _, judgments in scored:
            yield from judgments


@dataclass(frozen=True, slots=True)
class Adapt:
    """Labels of some of the items, with which an evaluator is adapted before it scores.

    Its head changes where that is shown to help, and scores are mapped to the labels' scale; see
    `assize.evaluator.adapt`.

    Args:
        labels: labels of some items: adapt the evaluator to them before it scores, if that is shown
            to help.
        save: folder to write the adapted or rescaled evaluator to.
        always: adapt even if it is not shown to help.
    """

    labels: JudgmentsLike
    save: str | Path | None = None
    always: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """Ratings of some of the items, to whose scale scores are mapped; the head stays as it is.

    Args:
        ratings: ratings of some items: map scores to their scale; the head stays as it is.
        save: folder for the evaluator that was fitted to the scale.
    """

    ratings: JudgmentsLike
    save: str | Path | None = None


def fit_evaluator(fit: Adapt | Scale, evaluator: Evaluator, items: Items) -> Adaptation:
    """Return what labels made of an evaluator.

    Raises:
        ConfigError: the items can be read only once.
    """
    if items.single_pass:
        raise ConfigError("items are read twice to fit an evaluator; give files or a list")
    if isinstance(fit, Scale):
        return adapt(
            items,
            judgments=fit.ratings,
            evaluator=evaluator,
            save=fit.save,
            scale_only=True,
        )
    return adapt(items, judgments=fit.labels, evaluator=evaluator, save=fit.save, always=fit.always)


@dataclass
class Scoring:
    """What is to be scored, and how; the arguments of `score`."""

    items: ItemsLike
    evaluator: Evaluator | str | Path = "default"
    out: str | Path | None = None
    turns: bool = False
    quiet: bool = False
    explain: bool = False
    fit: Adapt | Scale | None = None
    doubt: bool = False
    any_language: bool = False
    source: Items = field(init=False)
    rejects: int = field(default=0, init=False)
    adapted: Adaptation | None = field(default=None, init=False)
    _kinds: set[type[Item]] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self.source = read(self.items)

    @property
    def judge(self) -> Evaluator:
        """The evaluator, loaded once."""
        if not isinstance(self.evaluator, Evaluator):
            self.evaluator = load_evaluator(self.evaluator)
        if self.fit is not None and self.adapted is None:
            self.adapted = fit_evaluator(self.fit, self.evaluator, self.source)
            self.evaluator = self.adapted.evaluator
            for note in () if self.quiet else self.adapted.notes:
                log.info("%s", note)
        return self.evaluator

    @property
    def questions(self) -> tuple[Question, ...]:
        """What was asked of the items that were scored: of pairs alone, which side is better."""
        if self._kinds == {Pair}:
            return self.judge.pair_questions
        return self.judge.questions

    @contextmanager
    def scored(self) -> Iterator[Iterator[tuple[Item, list[Judgment]]]]:
        """Each item with its judgments, which are written to `out` as they pass.

        Raises:
            DataError: there is nothing to score; an earlier file at `out` stays.
        """
        beside = rejects_beside("-" if self.out is None else str(self.out))
        with (
            nullcontext() if self.out is None else self.source.rejects.saved_to(beside),
            progress("scoring", None, quiet=self.quiet) as advance,
            nullcontext(lambda row: None) if self.out is None else open_writer(self.out) as write,
        ):
            judge = self.judge
            count = 0

            def each() -> Iterator[tuple[Item, list[Judgment]]]:
                nonlocal count
                for item, rows in score_items(
                    self.source,
                    evaluator=judge,
                    turns=self.turns,
                    explain=self.explain,
                    doubt=self.doubt,
                    any_language=self.any_language,
                ):
                    self._kinds.add(type(item))
                    for row in rows:
                        write(row)
                    yield item, rows
                    count += 1
                    advance()

            try:
                yield each()
            except KeyboardInterrupt:
                self._interrupted(count)
                raise
            if count == 0:
                raise DataError("there is no conversation, pair or continuation in these files")
            self.rejects = len(self.source.rejects)
        if self.source.passed_over:
            passed_over = f"{self.source.passed_over:,}"
            log.info("%s judgments in the input were passed over", passed_over)
        if self.out is not None and str(self.out) != "-":
            write_questions(self.out, self.questions)
        compared = {one.id for one in self.judge.pair_questions} - {PREFERENCE.id}
        both = Pair in self._kinds and len(self._kinds) > 1
        if both and compared & {one.id for one in self.judge.questions if one.kind == "number"}:
            log.info(
                "pairs and conversations answer questions of one name on two scales; score"
                " them apart to compare either with other judges"
            )

    def _interrupted(self, count: int) -> None:
        """Says what is kept of a run that does not go on."""
        local = self.out is not None and str(self.out) != "-" and "://" not in str(self.out)
        kept = f"; what was written of them is kept in {self.out}.part" if local else ""
        log.warning("%s items were scored%s; the same command begins anew", f"{count:,}", kept)

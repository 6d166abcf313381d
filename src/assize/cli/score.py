"""`assize score`: scores from an evaluator, the shipped one by default."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.options import (
    Files,
    FormatName,
    Json,
    MaxUnscored,
    OnError,
    Out,
    Quiet,
    Report,
)
from assize.cli.terminal import check_unscored, note, print_json, print_tables
from assize.running.progress import progress

if TYPE_CHECKING:
    from assize.conversation import Item
    from assize.evaluator import Evaluator
    from assize.evaluator.summary import Summary
    from assize.formats.reading import OnReject
    from assize.pages import ScoreReport

EvaluatorFolder = Annotated[
    Path | None,
    typer.Option("--evaluator", help="Folder of a trained evaluator; the shipped one by default."),
]
Turns = Annotated[bool, typer.Option("--turns", help="Also score every assistant turn.")]
Precision = Annotated[
    str | None,
    typer.Option("--precision", help="Of the encoder: fp32, or int8 (faster, less exact)."),
]

_PRECISIONS = ("fp32", "int8")


def score(
    files: Files,
    evaluator: EvaluatorFolder = None,
    out: Out = None,
    report: Report = None,
    turns: Turns = False,
    precision: Precision = None,
    format: FormatName = None,
    on_error: OnError = "fail",
    max_unscored: MaxUnscored = 5.0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Scores conversations, pairs and continuations, offline and in a stream.

    Prints a summary; --out writes one judgment a conversation and question
    (JSONL, .parquet or .csv), --report a page with the lowest ones.

    Example: [bold]assize score chats.jsonl --out scores.jsonl --report scores.html[/bold]
    """
    from assize.errors import ConfigError
    from assize.evaluator import load_evaluator
    from assize.formats.rejects import Rejects, rejects_beside
    from assize.formats.rejects import on_error as chosen

    if precision not in (None, *_PRECISIONS):
        raise ConfigError(f"--precision {precision}: allowed are {', '.join(_PRECISIONS)}")
    judge = load_evaluator(evaluator, precision=precision)  # type: ignore[arg-type]  # just checked
    passed = _Passed()
    with Rejects(rejects_beside("-" if out is None else out)) as rejects:
        items = passed.items(files, format, chosen(on_error, rejects))
        total = None if quiet else _total(files)
        with progress("scoring", total, quiet=quiet) as advance:
            summary = _run(items, judge, turns, out, report, advance)
    if not quiet:
        _tell(passed, rejects.count, rejects.location)
    if json:
        counts = {"judgments_passed_over": passed.judgments, "rejects": rejects.count}
        print_json(summary.to_json() | counts)
    elif out != "-":
        _print(summary)
    check_unscored(summary.unscored, summary.items, max_unscored)


@dataclass(slots=True)
class _Passed:
    """The items of some files; judgments among them are passed over and counted."""

    judgments: int = 0

    def items(
        self, files: Iterable[str], format: str | None, on_reject: OnReject | None
    ) -> Iterator[Item]:
        from assize.formats import read
        from assize.judgment import Judgment

        for file in files:
            for record in read(file, format=format, on_reject=on_reject):
                if isinstance(record, Judgment):
                    self.judgments += 1
                else:
                    yield record


def _run(
    items: Iterator[Item],
    judge: Evaluator,
    turns: bool,
    out: str | None,
    report: Path | None,
    advance: Callable[[int], None],
) -> Summary:
    """Scores the stream into the summary, the table and the page."""
    from assize.errors import DataError
    from assize.evaluator import score_items
    from assize.evaluator.summary import Summary
    from assize.formats import open_writer, write_questions

    summary = Summary(judge)
    page = None if report is None else _page(judge)
    with ExitStack() as stack:
        write = None if out is None else stack.enter_context(open_writer(out))
        for item, rows in score_items(items, evaluator=judge, turns=turns):
            summary.add(item, rows)
            if write is not None:
                for row in rows:
                    write(row)
            if page is not None:
                page.add(item, rows)
            advance(1)
        if summary.items == 0:  # raised here, so that an earlier file at `out` stays
            raise DataError("there is no conversation, pair or continuation in these files")
    if out is not None and out != "-":
        write_questions(out, judge.questions)
    if page is not None and report is not None:
        page.write(report, title="Scores", notes=_NOTES)
    return summary


_NOTES = (
    "A score is the share of the evaluator's training conversations that it puts below this one.",
    "The shipped evaluator spots poor conversations; it does not rank strong assistants, check"
    " facts, or read languages other than English.",
)


def _page(judge: Evaluator) -> ScoreReport:
    from assize.pages import ScoreReport

    return ScoreReport(judge.questions)


def _total(files: Iterable[str]) -> int | None:
    """Lines of JSON-lines files, for the time left; None where that cannot be told."""
    from assize.errors import DataError
    from assize.formats.files import open_input

    total = 0
    for file in files:
        if not Path(file).is_file():
            return None
        try:
            with open_input(file) as stream:
                if not stream.peek(1).startswith(b"{"):
                    return None
                while block := stream.read(1 << 20):
                    total += block.count(b"\n")
        except DataError:
            return None  # reading it says what is wrong
    return total


def _tell(passed: _Passed, rejected: int, location: object) -> None:
    if passed.judgments:
        note(f"{passed.judgments:,} judgments in the input were passed over")
    if rejected:
        note(f"{rejected:,} bad records were left out, kept in {location}")


def _print(summary: Summary) -> None:
    print_tables(summary.tables)
    for reason, count in summary.reasons.items():
        note(f"{count:,} unscored: {reason}")
    if summary.languages:
        count, names = summary.languages.total(), ", ".join(summary.languages)
        note(f"{count:,} not in English ({names}): their scores mean nothing")

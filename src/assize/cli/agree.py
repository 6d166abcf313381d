"""`assize agree`: agreement and correlation between judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from assize.cli.options import (
    FormatName,
    Json,
    Judges,
    Judgments,
    MaxUnscored,
    OnError,
    Quiet,
    Report,
    Seed,
)
from assize.cli.reading import judgments_of
from assize.cli.terminal import (
    check_unscored,
    command_line,
    note,
    page_written,
    print_json,
    print_tables,
)

if TYPE_CHECKING:
    from assize.agreement import AgreeOptions, Facts, Findings
    from assize.judgments import JudgmentTable

Questions = Annotated[
    list[str] | None,
    typer.Option("--question", help="Only this question (repeatable); all when left out."),
]
Same = Annotated[
    list[str] | None,
    typer.Option(
        "--same", metavar="Q1=Q2", help="Read question Q1 as Q2, where judges were asked apart."
    ),
]
Gold = Annotated[
    str | None,
    typer.Option(
        "--gold",
        help="The judge that counts as true; `people` is all people together. "
        "`gold` when there is such a judge.",
    ),
]
Compare = Annotated[
    tuple[str, str] | None,
    typer.Option("--compare", metavar="J1 J2", help="Which of two judges agrees better with gold."),
]
Measure = Annotated[
    Literal["pearson", "spearman", "kendall", "kappa", "accuracy", "mae", "rmse"] | None,
    typer.Option(
        "--measure", help="What --compare compares; spearman for scores, else accuracy, if unset."
    ),
]
Items = Annotated[
    list[str] | None,
    typer.Option("--items", help="What was judged: lengths, systems, clusters (repeatable)."),
]
Cluster = Annotated[
    str,
    typer.Option(
        "--cluster", help="Field of the items that says which belong together; `item` for none."
    ),
]
AuditAsked = Annotated[
    bool, typer.Option("--audit", help="Position, length, self-preference, repeats, unscored.")
]
Own = Annotated[
    list[str] | None,
    typer.Option("--own", metavar="JUDGE=SYSTEM", help="The system that a judge itself is."),
]
Subgroup = Annotated[
    str, typer.Option("--subgroup", help="Field of the items by which --audit counts unscored.")
]
VotesAsked = Annotated[
    Literal["agree", "mean"],
    typer.Option("--votes", help="Votes that differ by order are a tie, or count by their mean."),
]
Method = Annotated[
    Literal["jackknife", "percentile", "bca", "studentised"],
    typer.Option("--interval", help="Kind of interval; all but the first are bootstraps."),
]
Confidence = Annotated[float, typer.Option("--confidence", help="Of the intervals, below 1.")]
Resamples = Annotated[int, typer.Option("--resamples", min=1, help="Of a bootstrap.")]
Permutations = Annotated[int, typer.Option("--permutations", min=1, help="Of each test.")]
Threshold = Annotated[
    float, typer.Option("--threshold", min=0, help="Margins up to this are a predicted tie.")
]


def agree(
    judgments: Judgments,
    question: Questions = None,
    same: Same = None,
    judges: Judges = None,
    gold: Gold = None,
    compare: Compare = None,
    measure: Measure = None,
    items: Items = None,
    cluster: Cluster = "item",
    audit: AuditAsked = False,
    own: Own = None,
    subgroup: Subgroup = "system",
    votes: VotesAsked = "agree",
    interval: Method = "jackknife",
    confidence: Confidence = 0.95,
    resamples: Resamples = 1_000,
    permutations: Permutations = 10_000,
    threshold: Threshold = 0.0,
    seed: Seed = 0,
    report: Report = None,
    format: FormatName = None,
    on_error: OnError = "fail",
    max_unscored: MaxUnscored = 5.0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Agreement and correlation between judges, on whatever they both judged.

    Any two or more judges on any question: intervals that take an item's
    rows together, n, what is unscored, and a signature line that makes
    each figure reproducible. --compare tests which judge is closer to gold.

    Example: [bold]assize agree people.jsonl run/ --gold people --report agree.html[/bold]
    """
    from assize.agreement import AgreeOptions, Settings, as_one, find
    from assize.errors import ConfigError
    from assize.stats import Interval

    read = judgments_of(judgments, format=format, on_error=on_error, quiet=quiet)
    table = as_one(read, _pairs("--same", same))
    if compare is not None and gold is None and "gold" not in table.judges:
        raise ConfigError("--compare needs --gold: the judge that counts as true, or `people`")
    settings = Settings(Interval(interval, confidence, resamples), seed, permutations, threshold)
    wanted = audit or cluster != "item"
    known = _facts([*judgments, *([] if items is None else items)], format) if wanted else {}
    names = None if judges is None else [one for given in judges for one in given.split(",")]
    asked = AgreeOptions(
        names, gold, compare, measure, cluster, audit, _pairs("--own", own), subgroup, votes
    )
    chosen = _questions(table, question, asked)
    findings = [find(table, one, asked, known, settings) for one in chosen]
    _adjust(findings, quiet)
    if report is not None:
        from assize.pages.agreement import write_agreement

        write_agreement(report, table, findings, reproduce=command_line())
        page_written(report, quiet)
    if json:
        print_json(_as_json(findings, table))
    else:
        for one in findings:
            print_tables(one.tables)
            print(f"{one.line}|{one.signature}\n")  # noqa: T201
    _exit(findings, max_unscored)


def _facts(files: Sequence[str], format: str | None) -> dict[str, Facts]:
    """What the items' own records say; files of judgments may hold some."""
    from pathlib import Path

    from assize.agreement import facts_of
    from assize.formats import read
    from assize.judgment import Judgment

    paths = [file for file in files if file != "-" and not Path(file).is_dir()]
    return facts_of(
        record
        for path in dict.fromkeys(paths)
        for record in read(path, format=format, on_reject=lambda reject: None)
        if not isinstance(record, Judgment)
    )


def _pairs(option: str, given: Sequence[str] | None) -> dict[str, str]:
    """What stands before and after the last `=` of each."""
    from assize.errors import ConfigError

    named = {}
    for one in () if given is None else given:
        first, mark, second = one.rpartition("=")
        if not mark or not first or not second:
            raise ConfigError(f"{option} {one}: write two names with = between them")
        named[first] = second
    return named


def _questions(
    table: JudgmentTable, wanted: Sequence[str] | None, asked: AgreeOptions
) -> list[str]:
    """The questions to look at: those named, else all that the named judges answered."""
    from assize.agreement import PEOPLE
    from assize.errors import ConfigError

    answered: dict[str, set[str]] = {}
    for one in table.asked:
        rows = table.where(question=one)
        people = {PEOPLE} if len(rows.where(kind="person")) else set()
        answered[one] = {*rows.judges, *people}
    if wanted is not None:
        for one in wanted:
            if one not in answered:
                raise ConfigError(f"no question {one!r}; asked were {', '.join(answered)}")
        return list(wanted)
    scaled = [one for one in answered if table.questions[one].kind != "text"]
    needed = {*(asked.judges or ()), *(asked.compare or ()), *([asked.gold] if asked.gold else [])}
    return [one for one in scaled if needed <= answered[one]] or scaled


def _adjust(findings: Sequence[Findings], quiet: bool) -> None:
    """Several comparisons at once: says what Holm's adjustment leaves of them."""
    from assize.stats import holm

    tested = [one for one in findings if one.comparison is not None]
    if len(tested) < 2 or quiet:
        return
    adjusted = holm([one.comparison.test.p_value for one in tested if one.comparison is not None])
    for one, p in zip(tested, adjusted.tolist(), strict=True):
        question = one.study.found.question.id
        note(f"{question}: p = {p:.2g} after Holm's adjustment for {len(tested)} questions")


def _exit(findings: Sequence[Findings], max_unscored: float) -> None:
    columns = [column for one in findings for column in one.study.found.by_judge.values()]
    unscored = sum(column.unscored for column in columns)
    check_unscored(unscored, unscored + sum(column.scored for column in columns), max_unscored)


def _as_json(findings: Sequence[Findings], table: JudgmentTable) -> dict[str, Any]:
    from assize.agreement.tables import as_json
    from assize.signature import sign_text

    questions = {
        one.study.found.question.id: {
            **as_json(one.study, one.measure, one.comparison, one.audits),
            "signature": one.signature,
            "signature_line": one.line,
        }
        for one in findings
    }
    return {
        "questions": questions,
        "inferred": sorted(table.inferred),
        "duplicates": table.duplicates,
        "signature": sign_text("|".join(one.signature for one in findings)),
    }

"""`assize jury`: decide from stored judgments, or by asking one judge after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from assize.cli.judge import Votes
from assize.cli.model_options import takes_model_options
from assize.cli.options import FormatName, Json, MaxUnscored, OnError, Out, Quiet, Report, Seed
from assize.cli.reading import judgments_of
from assize.cli.terminal import check_unscored, command_line, page_written

if TYPE_CHECKING:
    from assize.conversation import Pair
    from assize.judgments import JudgmentTable
    from assize.juries import Composition, JuryResult

Judgments = Annotated[
    list[str],
    typer.Argument(
        metavar="JUDGMENTS",
        help="Folders of runs, or files of judgments; or of pairs, to ask judges now.",
    ),
]
Items = Annotated[
    list[str] | None,
    typer.Option("--items", help="The pairs that were judged, with their gold (repeatable)."),
]
CascadeOrder = Annotated[
    str | None,
    typer.Option(
        "--cascade", metavar='"J1 > J2"', help="A tie passes on to the next; first asked first."
    ),
]
PanelNames = Annotated[
    str | None,
    typer.Option(
        "--panel", metavar='"J1=2, J2"', help="All are heard, by majority or by weight; or `all`."
    ),
]
ReliabilityAsked = Annotated[
    bool,
    typer.Option("--reliability", help="Weigh a panel by what its votes tell of each judge."),
]
Exchangeable = Annotated[
    bool,
    typer.Option("--exchangeable", help="For --reliability: which side is called A is chance."),
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", help="The model behind judges that are named without one."),
]
WhenUnscored = Annotated[
    Literal["skip", "loss"],
    typer.Option("--unscored", help="What an unscored verdict is: left apart, or a loss."),
]
ListPath = Annotated[
    str | None,
    typer.Option("--list", metavar="PATH", help="Print the items of a path such as tie-loss."),
]
Level = Annotated[
    float | None,
    typer.Option(
        "--escalate",
        metavar="SHARE",
        help="The first judge decides only where it is sure enough to agree with gold this often.",
    ),
]
Delta = Annotated[
    float, typer.Option("--delta", help="For --escalate: the probability of ending below it.")
]
Labelled = Annotated[
    float,
    typer.Option("--labelled", help="For --escalate: share of pairs with gold set aside for it."),
]
QuestionId = Annotated[str, typer.Option("--question", help="The question that votes answer.")]
GoldJudge = Annotated[str, typer.Option("--gold", help="The judge whose answers are gold.")]


@takes_model_options
def jury(
    judgments: Judgments,
    items: Items = None,
    cascade: CascadeOrder = None,
    panel: PanelNames = None,
    reliability: ReliabilityAsked = False,
    exchangeable: Exchangeable = False,
    escalate: Level = None,
    delta: Delta = 0.1,
    labelled: Labelled = 0.5,
    model: ModelName = None,
    unscored: WhenUnscored = "skip",
    list_: ListPath = None,
    question: QuestionId = "preference",
    gold: GoldJudge = "gold",
    out: Out = None,
    report: Report = None,
    votes: Votes = 2,
    *,
    asking: Mapping[str, Any],
    seed: Seed = 0,
    format: FormatName = None,
    on_error: OnError = "fail",
    max_unscored: MaxUnscored = 5.0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Decides pairs by a cascade of judges, or a panel, from stored votes or live.

    Both votes of a judge must agree; a tie passes on to the next judge.
    Prints win, tie and loss against gold, and where each decision fell.
    Given pairs and a folder --out, it asks the judges of the cascade now,
    each only about what those before it left open.

    Example: [bold]assize jury run/ --items pairs.jsonl --cascade "da > maxim"[/bold]

    Live: [bold]assize jury pairs.jsonl --cascade "da > io" --model openai:gpt-4o --out run/[/bold]
    """
    from assize.cli.jury_live import decide_live, holds_no_judgment, only_live
    from assize.cli.jury_results import finish

    given = {**locals(), **asking}
    composition = _composition(given)
    more: Mapping[str, Any] = {}
    if holds_no_judgment(judgments, format):
        told = decide_live(given, composition)
        if told is None:
            return
        result, pairs, more, out = told.result, told.pairs, told.more, str(told.verdicts)
    else:
        only_live(given)
        table = judgments_of(judgments, format=format, on_error=on_error, quiet=quiet)
        result, pairs = _hold(table, composition, _known(items, judgments, format), question, gold)
    if report is not None:
        from assize.pages.jury import write_jury

        write_jury(report, result, reproduce=command_line())
        page_written(report, quiet)
    finish(result, pairs, list_, out, more, json, quiet)
    if more.get("interrupted"):
        raise typer.Exit(130)
    check_unscored(result.outcome.unscored, result.outcome.n, max_unscored)


def _hold(
    table: JudgmentTable,
    composition: Composition,
    pairs: dict[str, Pair] | None,
    question: str,
    gold: str,
) -> tuple[JuryResult, dict[str, Pair]]:
    from assize.juries import decide

    result = decide(table, composition, pairs=pairs, question=question, gold=gold)
    return result, {} if pairs is None else pairs


def _composition(given: Mapping[str, Any]) -> Composition:
    from assize.errors import ConfigError
    from assize.juries import Composition, Escalate
    from assize.juries.names import parse_cascade, parse_panel

    cascade, panel, level = given["cascade"], given["panel"], given["escalate"]
    if cascade is None and panel is None and not given["reliability"]:
        raise ConfigError('say who sits: --cascade "da > maxim", --panel all, or --reliability')
    for name, usual in (("delta", 0.1), ("labelled", 0.5)):
        if level is None and given[name] != usual:
            raise ConfigError(f"--{name} is for --escalate; add it, or leave --{name} out")
    if given["json"] and given["out"] == "-":
        raise ConfigError("--json and the verdicts cannot both go to stdout; give --out a file")
    if given["exchangeable"] and not given["reliability"]:
        raise ConfigError("--exchangeable is for --reliability; add it, or leave it out")
    return Composition(
        () if cascade is None else parse_cascade(cascade),
        {} if panel in (None, "all") else parse_panel(panel),
        given["reliability"],
        given["exchangeable"],
        None if level is None else Escalate(level, given["delta"], given["labelled"]),
        given["model"],
        given["unscored"],
        given["seed"],
    )


def _known(
    items: Sequence[str] | None, judgments: Sequence[str], format: str | None
) -> dict[str, Pair] | None:
    """The pairs of `--items`, else those that stand among the judgments; None for none."""
    from functools import partial

    from assize.errors import DataError
    from assize.formats import read

    if items is not None:
        found = _pairs(items, read)
        if not found:
            raise DataError("there is no pair in these files", source=", ".join(items))
        return found
    files = [file for file in judgments if file != "-" and not Path(file).is_dir()]
    # Bad records have been refused, or kept aside, when the judgments were read.
    return _pairs(files, partial(read, format=format, on_reject=lambda _: None)) or None


def _pairs(files: Sequence[str], records: Callable[[str], Iterable[object]]) -> dict[str, Pair]:
    """The pairs of the files by id."""
    from assize.conversation import Pair
    from assize.errors import DataError

    found: dict[str, Pair] = {}
    for file in files:
        for record in records(file):
            if not isinstance(record, Pair):
                continue
            if found.setdefault(record.id, record) != record:
                raise DataError(f"two pairs have the id {record.id!r}", source=file)
    return found

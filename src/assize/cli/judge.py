"""`assize judge`: ask judges about items, into a folder that survives anything."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assize.cli.judge_options import takes_options
from assize.cli.model_options import takes_model_options
from assize.cli.options import FormatName, Json, MaxUnscored, OnError, Quiet, Seed
from assize.cli.terminal import note, print_json
from assize.running.progress import progress
from assize.tables import ResultTable, columns
from assize.tables.escape import printable
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    from assize.judging.session import Outcome, Session
    from assize.judging.summary import Summary
    from assize.judgment import Judgment


def _complete(text: str) -> list[str]:
    from assize.judging.table import JUDGES

    return [f"{name}@" for name in JUDGES if name.startswith(text)]


Files = Annotated[
    list[str] | None, typer.Argument(metavar="FILES", help="Paths, URLs, or - for standard input.")
]
JudgeNames = Annotated[
    list[str] | None,
    typer.Option(
        "--judge", "-j", help="A judge as name@model; repeat for more.", autocompletion=_complete
    ),
]
OutFolder = Annotated[Path | None, typer.Option("--out", "-o", help="The run's folder.")]
Votes = Annotated[
    int, typer.Option("--votes", min=1, max=2, help="Orders in which each pair is shown.")
]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="Independent answers to each.")]
Samples = Annotated[
    int,
    typer.Option("--samples", min=1, help="Samples a distribution, where no probabilities come."),
]
ShowPrompt = Annotated[
    str | None,
    typer.Option("--show-prompt", metavar="NAME", help="Print a judge's messages for an item."),
]
ListJudges = Annotated[bool, typer.Option("--list", help="Print the judges and models there are.")]
Injections = Annotated[
    bool,
    typer.Option("--injections", help="Measure how often judges obey what stands in the text."),
]


@takes_options()
@takes_model_options
def judge(
    files: Files = None,
    judges: JudgeNames = None,
    out: OutFolder = None,
    votes: Votes = 2,
    repeats: Repeats = 1,
    samples: Samples = 1,
    *,
    asking: Mapping[str, Any],
    show_prompt: ShowPrompt = None,
    list_: ListJudges = False,
    injections: Injections = False,
    format: FormatName = None,
    on_error: OnError = "fail",
    seed: Seed = 0,
    max_unscored: MaxUnscored = 5.0,
    json: Json = False,
    quiet: Quiet = False,
    options: Mapping[str, Any],
) -> None:
    """Asks judges about conversations, pairs or continuations.

    Answers go to the folder --out as they arrive. The same command continues
    an interrupted run; answers that are stored are never paid for twice.

    Example: [bold]assize judge pairs.jsonl --judge io@openai:gpt-4o --out run/[/bold]
    """
    if list_:
        return _list(as_json=json)
    session = make_session({**locals(), **asking})
    if injections:
        return _injections(session, as_json=json)
    if show_prompt is not None:
        return show_messages(session, show_prompt, as_json=json)
    if asking["dry_run"]:
        return tell_estimate(session, as_json=json)
    if out is None or not judges:
        raise typer.BadParameter("name at least one --judge, and the folder --out")
    outcome = run_session(session, quiet=quiet)
    tell(session, outcome, as_json=json, quiet=quiet)
    if outcome.interrupted:
        raise typer.Exit(130)
    raise typer.Exit(int(outcome.summary.percent_unscored > max_unscored))


def make_session(given: dict[str, Any]) -> Session:
    """The session that the options of `assize judge`, by name, describe."""
    from assize.errors import ConfigError
    from assize.judging.judge import JudgeSettings
    from assize.judging.run import RunSettings
    from assize.judging.session import Session
    from assize.models import Limits, ModelSettings

    if given["batch"] and given["no_cache"]:
        raise ConfigError("--batch needs the cache: leave --no-cache out")
    if not given["files"] and not given["injections"]:
        raise typer.BadParameter("name the files to judge")
    if given["truncate"] not in (None, "oldest"):
        raise ConfigError(f"--truncate {given['truncate']!r} is not known; choose oldest")
    limits = Limits(given["concurrency"], given["requests_per_minute"], given["tokens_per_minute"])
    return Session(
        given["files"] or (),
        given["judges"] or (),
        given["out"] or Path("-"),
        given["format"],
        RunSettings(
            given["votes"],
            given["repeats"],
            given["seed"],
            given["concurrency"],
            given["on_error"],
            given["retry"],
        ),
        JudgeSettings(
            temperature=given["temperature"],
            seed=given["seed"],
            samples=given["samples"],
            truncate=given["truncate"],
            prompts=given["prompts"],
        ),
        ModelSettings(
            base_url=given["base_url"],
            timeout=given["timeout"],
            limits=limits,
            max_cost=given["max_cost"],
            prices=given["prices"],
            use_cache=not given["no_cache"],
            record=given["record"],
            batch=given["out"] / "batches" if given["batch"] and given["out"] else None,
            dry=given["dry_run"] or given["show_prompt"] is not None,
        ),
        given.get("options", {}),
    )


def run_session(session: Session, *, quiet: bool) -> Outcome:
    """Judges, with progress and notes on stderr; bad records go to `rejects.jsonl`."""
    from assize.formats.rejects import Rejects
    from assize.formats.rejects import on_error as chosen
    from assize.judging.session import expected, judge_async

    say = (lambda _: None) if quiet else note
    with (
        Rejects(session.out / "rejects.jsonl") as rejects,
        progress("judging", expected(session), quiet=quiet) as advance,
    ):

        def on_rows(rows: Sequence[Judgment]) -> None:
            advance()

        outcome = asyncio.run(
            judge_async(
                session,
                on_rows=on_rows,
                on_reject=chosen(session.run.on_error, rejects),
                note=say,
            )
        )
    if rejects.count:
        note(f"{rejects.count} bad records left out, kept in {rejects.location}")
    return outcome


def tell(session: Session, outcome: Outcome, *, as_json: bool, quiet: bool) -> None:
    """Prints how a session ended: a table or one JSON object, and notes."""
    summary = outcome.summary
    if outcome.interrupted:
        note(f"interrupted with {summary.n} judgments kept; the same command continues")
    if outcome.waiting:
        note(f"{outcome.waiting} answers wait for a batch; run the same command later")
    if summary.skipped:
        note(f"{summary.skipped} items were passed over: their id had been seen")
    if as_json:
        more = {
            "interrupted": outcome.interrupted,
            "waiting": outcome.waiting,
            "booked_usd": round(outcome.booked, 6),
            "out": str(session.out),
        }
        print_json(summary.to_json() | more | {"signature": _signature(summary.signatures)})
        return
    if quiet:
        return
    rows = []
    for (judge, question), tally in summary.tallies.items():
        shares = ", ".join(
            f"{name if name else 'a score'} {100 * count / tally.n:.1f}%"
            for name, count in sorted(tally.answers.items())
        )
        rows.append((judge, question, tally.n, sum(tally.unscored.values()), shares))
    named = columns("words", "judge", "question") + columns("count", "n", "unscored")
    print_table(ResultTable("Judgments", named + columns("words", "answers"), rows))
    note(spent(summary))
    if outcome.booked > summary.cost_usd + 1e-6:
        note(f"${outcome.booked:.4f} are booked in all: some answers were lost, or asked for again")
    for reason, count in summary.reasons.most_common():
        again = "--retry" if reason not in _again() else "the same command"
        note(f"{count} unscored: {reason} ({again} asks again)")


def _again() -> frozenset[str]:
    from assize.judging.folder import AGAIN

    return AGAIN


def _signature(signatures: dict[str, str]) -> str:
    from assize.signature import sign

    return sign(signatures)


def spent(summary: Summary) -> str:
    """Calls, tokens and cost in words."""
    cost = f"${summary.cost_usd:.4f}"
    if summary.unpriced:
        cost = f"at least {cost} (the price of {summary.unpriced:,} answers is not known)"
    return (
        f"{summary.calls:,} calls, {summary.cached:,} answers from the cache,"
        f" {summary.input_tokens:,} tokens in, {summary.output_tokens:,} out, {cost}"
    )


def tell_estimate(session: Session, *, as_json: bool, at_most: str | None = None) -> None:
    """Prints what a session would take and cost; `at_most` says in what case all of it."""
    from assize.judging.session import estimate

    if not session.judges:
        raise typer.BadParameter("name at least one --judge")
    estimates = asyncio.run(estimate(session))
    if as_json:
        from dataclasses import asdict

        found = {name: asdict(one) for name, one in estimates.items()}
        print_json(found if at_most is None else {"at_most": found})
        return
    rows = [
        (
            *(name, one.calls, one.cached, one.input_tokens, one.output_tokens),
            "unknown" if one.cost_usd is None else f"${one.cost_usd:.4f}",
        )
        for name, one in estimates.items()
    ]
    named = columns("words", "model")
    named += columns("count", "calls", "cached", "tokens in", "tokens out")
    named += columns("words", "cost")
    title = "What it would take (estimated)" if at_most is None else f"At most, {at_most}"
    print_table(ResultTable(title, named, rows))
    if any(one.cost_usd is None for one in estimates.values()):
        note("no price is known for some models; see --prices")


def _injections(session: Session, *, as_json: bool) -> None:
    from assize.judging.session import measure_injections

    if not session.judges:
        raise typer.BadParameter("name at least one --judge")
    found = asyncio.run(measure_injections(session))
    if as_json:
        print_json(found)
        return
    named = columns("words", "attack") + columns("count", "n", "unscored", "worse side won")
    named += columns("number", "%", digits=1)
    for judge, rates in found.items():
        rows = [
            (name, *(rate[key] for key in ("n", "unscored", "won")),
             float("nan") if rate["percent"] is None else rate["percent"])
            for name, rate in rates.items()
        ]  # fmt: skip
        title = f"{judge}: verdicts for the response that holds the attack"
        print_table(ResultTable(title, named, rows))


def show_messages(
    session: Session, name: str, *, question: str | None = None, as_json: bool
) -> None:
    """Prints the exact messages of a judge for the first item."""
    from assize.judging.session import shown_prompt

    described = asyncio.run(shown_prompt(session, name, question))
    if as_json:
        print_json(described)
        return
    note(f"prompt {described['prompt']}, item {described['item']}")
    for message in described["messages"]:
        print_text(f"--- {message['role']} ---\n{message['content']}\n")


def print_text(text: str) -> None:
    """Text on stdout, without what could move the cursor."""
    print(printable(text))  # noqa: T201


def _list(*, as_json: bool) -> None:
    from assize.judging.table import JUDGES, offer
    from assize.models import PROVIDERS

    if as_json:
        judges = {name: offer(name).about for name in JUDGES}
        print_json({"judges": judges, "providers": list(PROVIDERS)})
        return
    rows = [(name, offer(name).about) for name in JUDGES]
    print_table(ResultTable("Judges", columns("words", "name", "what it answers"), rows))
    note("A judge is written name@model, a model " + ", ".join(f"{p}:..." for p in PROVIDERS))

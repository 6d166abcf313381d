"""`assize rubric`: ask a rubric's questions, list the shipped rubrics, show one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assize.cli.judge import (
    Repeats,
    make_session,
    print_text,
    run_session,
    show_messages,
    tell,
    tell_estimate,
)
from assize.cli.judge_options import takes_options
from assize.cli.model_options import takes_model_options
from assize.cli.options import Files, FormatName, Json, MaxUnscored, OnError, Quiet, Seed
from assize.cli.terminal import note, print_json
from assize.tables import ResultTable, columns
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    from assize.judgment import Question
    from assize.rubric import Rubric


def _complete(text: str) -> list[str]:
    from assize.rubric import shipped

    return [name for name in shipped() if name.startswith(text)]


RubricPlace = Annotated[
    str,
    typer.Argument(
        metavar="RUBRIC", help="A file, or the name of a shipped one.", autocompletion=_complete
    ),
]
ModelNames = Annotated[
    list[str], typer.Option("--model", "-m", help="A model as provider:name; repeat for more.")
]
VariantNames = Annotated[
    list[str],
    typer.Option(
        "--variant", help="How to ask: plain, reasons, fewshot, a persona, joined by +; repeatable."
    ),
]
OutFolder = Annotated[Path | None, typer.Option("--out", "-o", help="The run's folder.")]
Samples = Annotated[
    int,
    typer.Option(
        "--samples", min=1, help="Samples that make a distribution, where no probabilities come."
    ),
]
ShowPrompt = Annotated[
    str | None,
    typer.Option(
        "--show-prompt", metavar="QUESTION", help="Print a question's messages for the first item."
    ),
]
AsYaml = Annotated[bool, typer.Option("--yaml", help="Print the file itself, to begin one's own.")]

app = typer.Typer(help="Ask a rubric's questions; list and show rubrics.", no_args_is_help=True)


@app.command()
@takes_options("rubric")
@takes_model_options
def ask(
    files: Files,
    model: ModelNames,
    variant: VariantNames = ["plain"],  # noqa: B006  typer copies it
    out: OutFolder = None,
    samples: Samples = 10,
    repeats: Repeats = 1,
    *,
    asking: Mapping[str, Any],
    show_prompt: ShowPrompt = None,
    format: FormatName = None,
    on_error: OnError = "fail",
    seed: Seed = 0,
    max_unscored: MaxUnscored = 5.0,
    json: Json = False,
    quiet: Quiet = False,
    options: Mapping[str, Any],
) -> None:
    """Asks models each question of a rubric, by itself, about each conversation.

    Each answer comes with the model's probability of every answer. The same
    command continues an interrupted run.

    Example: [bold]assize rubric ask chats.jsonl -r general -m openai:gpt-4o -o run/[/bold]
    """
    judges = _judges(options, model, variant)
    session = make_session({**locals(), **asking, "votes": 2, "injections": False})
    if show_prompt is not None:
        return show_messages(session, judges[0], question=show_prompt, as_json=json)
    if asking["dry_run"]:
        return tell_estimate(session, as_json=json)
    if out is None:
        raise typer.BadParameter("name the run's folder with --out")
    outcome = run_session(session, quiet=quiet)
    tell(session, outcome, as_json=json, quiet=quiet)
    if outcome.interrupted:
        raise typer.Exit(130)
    raise typer.Exit(int(outcome.summary.percent_unscored > max_unscored))


def _judges(options: Mapping[str, Any], models: list[str], variants: list[str]) -> list[str]:
    from assize.judging.options import RubricOptions
    from assize.rubric import load_rubric
    from assize.rubric.asking import NAME, variant_of

    known = load_rubric(RubricOptions(**options).rubric)
    names = [variant_of(variant, known).name for variant in variants]
    return [
        f"{NAME}/{name}@{model}" if name else f"{NAME}@{model}"
        for model in models
        for name in names
    ]


@app.command("list")
def list_(json: Json = False) -> None:
    """Lists the rubrics that come with assize.

    Example: [bold]assize rubric list[/bold]
    """
    from assize.rubric import load_rubric, shipped

    rubrics = [load_rubric(name) for name in shipped()]
    if json:
        described = {one.name: _described(one) for one in rubrics}
        print_json({"rubrics": described, "signature": _signature(rubrics)})
        return
    rows = [(one.name, len(one.questions), one.main, one.about) for one in rubrics]
    rubric, about = columns("words", "rubric"), columns("words", "main", "about")
    print_table(ResultTable("Rubrics", rubric + columns("count", "questions") + about, rows))
    note("assize rubric show NAME prints one; --yaml its file, to begin your own")


@app.command()
def show(rubric: RubricPlace = "general", yaml: AsYaml = False, json: Json = False) -> None:
    """Shows a rubric, and so checks it: questions, answers, who is asked, and when.

    Example: [bold]assize rubric show information-seeking[/bold]
    """
    from assize.rubric import parse_rubric
    from assize.rubric.reading import rubric_text

    source, text = rubric_text(rubric)
    found = parse_rubric(text, source)
    if json:
        print_json(_described(found) | {"signature": _signature([found])})
    elif yaml:
        print_text(text.rstrip("\n"))
    else:
        print_text("\n".join(_lines(found)))


def _signature(rubrics: list[Rubric]) -> str:
    from assize.signature import sign

    return sign([one.hash for one in rubrics])


def _described(rubric: Rubric) -> dict[str, Any]:
    from assize.formats import to_json
    from assize.rubric.asking import variants

    return {
        "rubric": rubric.name,
        "title": rubric.title,
        "about": rubric.about,
        "version": rubric.version,
        "hash": rubric.hash,
        "main": rubric.main,
        "variants": list(variants(rubric)),
        "questions": [to_json(one) for one in rubric.questions],
        "skips": rubric.skips,
    }


def _lines(rubric: Rubric) -> list[str]:
    from assize.rubric.asking import variants

    lines = [f"{rubric.title} ({rubric.name}, version {rubric.version})"]
    lines += [rubric.about] if rubric.about else []
    lines.append(f"Main question: {rubric.main}. Variants: {', '.join(variants(rubric))}.")
    for section in rubric.sections:
        lines += ["", section.title] if section.title else []
        lines += [f"  {section.instructions.strip()}"] if section.instructions else []
        for one in section.questions:
            lines += ["", f"  {one.id}  {one.text}"]
            lines += [f"      {note}" for note in _notes(one, rubric)]
            lines += [f"      {answer}  {one.labels.get(answer, '')}" for answer in one.answers]
    return [line.rstrip() for line in lines]


def _notes(one: Question, rubric: Rubric) -> list[str]:
    said = []
    if one.kind in ("nominal", "number", "text"):
        words = {"nominal": "answers are not ordered", "text": "free text", "number": "a number"}
        said.append(words[one.kind])
    if one.audience != "both":
        said.append(f"for {one.audience} only")
    if one.applies != "always":
        said.append(f"asked where {one.applies}, else NA")
    for answer, target in rubric.skips.get(one.id, {}).items():
        said.append(
            f'after "{answer}" the form ' + ("ends" if target == "end" else f"goes to {target}")
        )
    return [f"({'; '.join(said)})"] if said else []

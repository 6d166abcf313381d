"""`assize calibrate study`: how well each rater is predicted, beside everything simpler."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.options import Json, OnError, Quiet, Report
from assize.cli.reading import answers_in, items_of, ratings_in
from assize.cli.terminal import note, print_json, print_table

if TYPE_CHECKING:
    from assize.calibration.study import Data, Study

Answers = Annotated[
    list[str] | None,
    typer.Option("--answers", "-a", help="Judgments by models: files or runs; repeatable."),
]
Ratings = Annotated[
    list[str] | None,
    typer.Option("--ratings", "-r", help="Judgments by people; repeatable."),
]
Target = Annotated[str | None, typer.Option("--target", "-t", help="The question to be predicted.")]
TestAnswers = Annotated[
    list[str] | None,
    typer.Option("--test-answers", help="As --answers, for the items that are tested on."),
]
TestRatings = Annotated[
    list[str] | None,
    typer.Option("--test-ratings", help="As --ratings; their items are never fitted on."),
]
Methods = Annotated[
    list[str] | None,
    typer.Option("--method", "-m", help="A method or a group (--list); repeatable."),
]
Folds = Annotated[int, typer.Option("--folds", min=2, help="Parts that items are split into.")]
Seeds = Annotated[
    int, typer.Option("--seeds", min=1, help="Repetitions with other folds and starts.")
]
Curve = Annotated[
    int,
    typer.Option("--curve", min=0, help="Subsamples at each point of a learning curve; 0: none."),
]
EveryQuestion = Annotated[
    bool, typer.Option("--every-question", help="Predict every other question too.")
]
AdaptiveAsked = Annotated[
    bool, typer.Option("--adaptive", help="Measure what an adaptive rubric would save.")
]
Items = Annotated[
    list[str] | None,
    typer.Option("--items", help="The conversations, which name their systems; repeatable."),
]
SystemPattern = Annotated[
    str | None,
    typer.Option(
        "--system-pattern", metavar="REGEX", help="Finds the system in an item's id: group 1."
    ),
]
Permutations = Annotated[int, typer.Option("--permutations", min=1, help="Of each paired test.")]
ListMethods = Annotated[bool, typer.Option("--list", help="Print the methods there are.")]


def study(
    answers: Answers = None,
    ratings: Ratings = None,
    target: Target = None,
    test_answers: TestAnswers = None,
    test_ratings: TestRatings = None,
    method: Methods = None,
    folds: Folds = 5,
    seeds: Seeds = 3,
    curve: Curve = 0,
    every_question: EveryQuestion = False,
    adaptive: AdaptiveAsked = False,
    items: Items = None,
    system_pattern: SystemPattern = None,
    permutations: Permutations = 20_000,
    list_: ListMethods = False,
    report: Report = None,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compares the calibrator with baselines, ablations and oracles, cross-validated by item.

    Every difference is tested. With --test-ratings all is also measured on a
    test set that nothing is fitted on.

    Example: [bold]assize calibrate study -a run/ -r ratings.jsonl -t Q0 --report study.html[/bold]
    """
    from assize.calibration import features_of, forms_of
    from assize.calibration.study import Options, data_of
    from assize.calibration.study import study as studied

    if list_:
        _list(as_json=json)
        return
    if not answers or not ratings or target is None:
        raise typer.BadParameter("give --answers, --ratings and the question --target")
    features = features_of(
        answers_in([*answers, *(test_answers or ())], on_error=on_error, quiet=quiet)
    )
    tested = test_ratings or []
    rated = ratings_in([*ratings, *tested], on_error=on_error, quiet=quiet)
    held = ratings_in(tested, on_error=on_error, quiet=True).items if tested else ()
    forms = forms_of(features, rated, target)
    data = data_of(forms, test_items=held, folds=folds, seeds=seeds)
    options = Options(
        tuple(method or ()), permutations, curve, every_question, adaptive,
        _systems(data, items or [], system_pattern),
    )  # fmt: skip
    say = (lambda _: None) if quiet else note
    found = studied(data, options, say)
    if report is not None:
        from assize.report.calibration_study import write_study

        size = write_study(report, found, reproduce=[shlex.join(["assize", *sys.argv[1:]])])
        say(f"{report}: {size / 1e6:.1f} MB")
    if json:
        print_json(found.to_json())
    elif not quiet:
        _print(found)


def _systems(data: Data, files: Sequence[str], pattern: str | None) -> Mapping[str, str]:
    """Item id -> system: from the conversations, else from the ids."""
    from assize.conversation import Conversation
    from assize.errors import ConfigError

    ids = [item for item, _ in data.forms.features.units]
    found: dict[str, str] = {}
    if pattern is not None:
        try:
            matcher = re.compile(pattern)
        except re.error as error:
            raise ConfigError(f"--system-pattern {pattern!r} is no pattern: {error}") from error
        if matcher.groups < 1:
            raise ConfigError(f"--system-pattern {pattern!r} has no group, such as in 'V(\\d+)_'")
        matches = {item: matcher.search(item) for item in ids}
        found = {item: match[1] for item, match in matches.items() if match and match[1]}
    for item in items_of(files):
        if isinstance(item, Conversation) and item.system is not None:
            found[item.id] = item.system
    return found


def _list(*, as_json: bool) -> None:
    from assize.calibration.study import METHODS

    if as_json:
        rows = {name: {"group": one.group, "about": one.about} for name, one in METHODS.items()}
        print_json({"methods": rows})
        return
    rows_ = [(one.group, name, one.about) for name, one in METHODS.items()]
    print_table("Methods", ("group", "method", "what it does"), rows_, text=_TEXTS)
    note("without --method all run but the group search")


_TEXTS = ("group", "method", "what it does")


def _print(found: Study) -> None:
    from assize.calibration.study import tables

    forms = found.data.forms
    for part in found.parts:
        for group, (header, rows) in tables.main_rows(found, part).items():
            print_table(f"{forms.target.id}, {part.name}: {group}", header, rows)
    note("r, rho, tau: Pearson, Spearman, Kendall; loss: log loss; means over the seeds")
    if tables.base(found):
        note(
            f"p: squared errors against those of `{tables.base(found)}`, flipped item by item,"
            " Holm-corrected"
        )
    for caption, (header, rows) in (
        ("Smooth calibration error of each answer", tables.reliability_rows(found)),
        ("Learning curve (5-95% of the subsamples)", tables.curve_rows(found)),
        ("Adaptive rubric: calls saved against accuracy", tables.saved_rows(found)),
        *(
            (f"Every question: {tables.TITLES[name]}", tables.question_rows(found, name))
            for name in ("rmse", "pearson", "log_loss")
        ),
    ):
        if rows:
            print_table(caption, header, rows)
    if found.options.system_of:
        for source in tables.sources(found.systems):
            header, rows = tables.system_rows(found.systems, source, n=False)
            print_table(f"By system, mean and deviation: {source}", header, rows)

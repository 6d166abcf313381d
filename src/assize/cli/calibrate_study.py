"""`assize calibrate study`: how well each rater is predicted, beside everything simpler."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.calibrate_predict import Items
from assize.cli.options import Json, OnError, Quiet, Report
from assize.cli.reading import answers_in, items_of, ratings_in
from assize.cli.terminal import command_line, note, print_json
from assize.tables import ResultTable, columns
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    from assize.calibration import Forms
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
Folds = Annotated[
    int | None, typer.Option("--folds", min=2, help="Parts that items are split into; 5.")
]
FoldsBy = Annotated[
    str | None,
    typer.Option(
        "--folds-by",
        metavar="WHAT",
        help="Keep groups of items in one fold: system, metadata.NAME (of --items) or a regex,"
        " group 1.",
    ),
]
LeaveOut = Annotated[
    str | None,
    typer.Option(
        "--leave-out", metavar="WHAT", help="Hold out one group at a time: WHAT as above."
    ),
]
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
By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="WHAT",
        help="Tables of every question by group: WHAT as above; by system where --items has any.",
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
    folds: Folds = None,
    folds_by: FoldsBy = None,
    leave_out: LeaveOut = None,
    seeds: Seeds = 3,
    curve: Curve = 0,
    every_question: EveryQuestion = False,
    adaptive: AdaptiveAsked = False,
    items: Items = None,
    by: By = None,
    permutations: Permutations = 20_000,
    list_: ListMethods = False,
    report: Report = None,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compares the calibrator with baselines, ablations and oracles, cross-validated.

    Folds are of items, of groups of items (--folds-by), or one group each
    (--leave-out), for every method alike. Every difference is tested. With
    --test-ratings all is also measured on a test set that nothing is fitted on.

    Example: [bold]assize calibrate study -a run/ -r ratings.jsonl -t Q0 --report study.html[/bold]
    """
    from assize.calibration import features_of, forms_of
    from assize.calibration.study import Options
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
    data = _data(forms, held, folds, seeds, folds_by, leave_out, items)
    options = Options(
        tuple(method or ()), permutations, curve, every_question, adaptive,
        _systems(data, items, by), "system" if by is None else by,
    )  # fmt: skip
    say = (lambda _: None) if quiet else note
    say(str(data.folds))
    found = studied(data, options, say)
    if report is not None:
        from assize.pages.calibration_study import write_study

        size = write_study(report, found, reproduce=command_line())
        say(f"{report}: {size / 1e6:.1f} MB")
    if json:
        print_json(found.to_json())
    else:
        _print(found, say)


def _data(
    forms: Forms,
    held: Sequence[str],
    folds: int | None,
    seeds: int,
    folds_by: str | None,
    leave_out: str | None,
    items: list[str] | None,
) -> Data:
    """The forms with their folds: by item, by groups, or one group each."""
    from assize.calibration.groups.membership import group_units
    from assize.calibration.study import data_of
    from assize.errors import ConfigError

    if folds_by is not None and leave_out is not None:
        raise ConfigError("give --folds-by or --leave-out, not both")
    if folds is not None and leave_out is not None:
        raise ConfigError("with --leave-out a fold is a group: leave --folds out")
    option, what = ("--folds-by", folds_by) if leave_out is None else ("--leave-out", leave_out)
    groups = None
    if what is not None:
        grouping = group_units(forms.features.units, what, items_of(items), option=option)
        groups = grouping.names
    return data_of(
        forms, test_items=held, folds=5 if folds is None else folds, seeds=seeds,
        groups=groups, by=what or "", leave_out=leave_out is not None,
    )  # fmt: skip


def _systems(data: Data, files: list[str] | None, by: str | None) -> Mapping[str, str]:
    """Item id -> group of the tables by system: as asked, else the conversations' systems."""
    from assize.calibration.groups.membership import group_units
    from assize.conversation import Conversation

    units = data.forms.features.units
    if by is not None:
        names = group_units(units, by, items_of(files)).names
        pairs = zip(units, names, strict=True)
        return {item: name for (item, _), name in pairs if name is not None}
    return {
        item.id: item.system
        for item in items_of(files)
        if isinstance(item, Conversation) and item.system is not None
    }


def _list(*, as_json: bool) -> None:
    from assize.calibration.study import METHODS

    if as_json:
        rows = {name: {"group": one.group, "about": one.about} for name, one in METHODS.items()}
        print_json({"methods": rows})
        return
    listed = [(one.group, name, one.about) for name, one in METHODS.items()]
    named = columns("words", "group", "method", "what it does")
    print_table(ResultTable("Methods", named, listed, grouped=True))
    note("without --method all run but the group search")


def _print(found: Study, say: Callable[[str], None]) -> None:
    """All tables but those that a page alone has room for."""
    from assize.calibration.study.tables import notes
    from assize.studies import LOSSES

    for name, one in found.tables.items():
        by_system = name.startswith("system ") and not found.options.system_of
        if not by_system and not name.endswith(tuple(f" by {loss}" for loss in LOSSES)):
            print_table(one)
    for told in notes(found):
        say(told)

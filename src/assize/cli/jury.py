"""`assize jury`: decide from stored judgments, or by asking one judge after the other; compare."""

from assize.cli.command import Mode, from_function
from assize.workflows import jury as workflow
from assize.workflows.jury_study import jury_study

_SEVERAL = "`assize jury study` compares several"
_METAVARS = {"cascade": '"J1 > J2"', "panel": '"J1=2, J2"'}

decide = from_function(
    workflow.jury,
    'assize jury decide run/ --items pairs.jsonl --cascade "da > maxim"',
    arguments=["judgments"],
    named={"out": "--out -o"},
    metavars=_METAVARS,
    once={"cascade": _SEVERAL, "panel": _SEVERAL},
    modes=[
        Mode(
            "--list",
            "Print the items of a path such as tie-loss.",
            workflow.list_path,
            "path",
            "PATH",
            of_plan=True,
        ),
    ],
    report=True,
    unscored=True,
)
study = from_function(
    jury_study,
    'assize jury study run/ --cascade "da > maxim" --cascade "maxim > da"',
    arguments=["judgments"],
    named={"sets": "--set"},
    metavars={**_METAVARS, "sets": "NAME=FILES", "against": "JURY"},
    apart=["sets"],
    report=True,
    unscored=True,
)

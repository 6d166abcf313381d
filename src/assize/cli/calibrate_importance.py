"""`assize calibrate importance`: what improving each question would be worth for the main one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assize.cli.calibrate_fit import Answers
from assize.cli.calibrate_predict import Items, Raters, Trusted
from assize.cli.options import Json, OnError, Quiet
from assize.cli.reading import features_for
from assize.cli.terminal import print_json
from assize.tables.terminal import print_table

Main = Annotated[Path, typer.Argument(metavar="MAIN", help="Network of the main question.")]
Others = Annotated[
    list[Path], typer.Argument(metavar="DIR...", help="Networks of other questions, one each.")
]
Variance = Annotated[
    float,
    typer.Option("--variance", help="Share of variance that the manifold's components hold."),
]


def importance(
    main: Main,
    others: Others,
    answers: Answers,
    raters: Raters = "all",
    trusted: Trusted = None,
    items: Items = None,
    variance: Variance = 0.9,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Says by how much the main score rises where a question's score is raised by 1.

    It needs networks (fit --network paper), one a question. Directions are
    free, keep the mass of each question (simplex), or are the items' principal
    components (manifold). It is what the networks make of it, no experiment.

    Example: [bold]assize calibrate importance q0/ q1/ q2/ --answers run/[/bold]
    """
    from assize.calibration import load
    from assize.calibration.artefact import signature
    from assize.calibration.prediction.predictions import common_raters
    from assize.calibration.study.importance import importance as measured
    from assize.calibration.tables import importance_table

    fitted = [load(folder) for folder in (main, *others)]
    features = features_for(fitted, answers, items, on_error=on_error, quiet=quiet)
    names = common_raters(fitted, raters, trusted)
    found = measured(fitted[0], fitted[1:], features, names, variance=variance)
    if json:
        print_json(
            {
                "target": fitted[0].target.id,
                "raters": names,
                "questions": {
                    question: {
                        way: one.mean.to_json()
                        | {"median": _number(one.median), "pooled": _number(one.pooled)}
                        for way, one in ways.items()
                    }
                    for question, ways in found.items()
                },
                "items": [
                    {"item": item, "turn": turn}
                    | {
                        question: {way: _number(one.each[row]) for way, one in ways.items()}
                        for question, ways in found.items()
                    }
                    for row, (item, turn) in enumerate(features.units)
                ],
                "signature": "+".join(signature(one) for one in fitted),
            }
        )
        return
    print_table(importance_table(fitted[0].target.id, found))


def _number(value: float) -> float | None:
    return None if value != value else float(value)

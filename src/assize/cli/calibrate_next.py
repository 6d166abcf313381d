"""`assize calibrate next`: which ratings would teach most, and which items are in doubt."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from assize.cli.calibrate_fit import Answers
from assize.cli.calibrate_predict import Items, Uncorrected
from assize.cli.options import Json, OnError, Quiet, Seed
from assize.cli.reading import features_for, items_of, ratings_in
from assize.cli.terminal import note, print_json, print_tables

if TYPE_CHECKING:
    from assize.calibration.active.active_learning import RatingRequests
    from assize.calibration.active.routing import Routing
    from assize.judgments import Unit

Fitted = Annotated[
    list[Path], typer.Argument(metavar="DIR...", help="Calibrators, one a question.")
]
Rated = Annotated[
    list[str] | None,
    typer.Option("--ratings", "-r", help="Ratings there are; not asked for again. Repeatable."),
]
RoutingFile = Annotated[
    str | None,
    typer.Option("--routing", help="YAML: who may be asked what, how often, at what cost."),
]
Count = Annotated[int, typer.Option("--count", "-n", min=1, help="How many of each list.")]
PerItem = Annotated[
    int, typer.Option("--per-item", min=1, help="Ratings of one item and question, at most.")
]
Out = Annotated[
    str | None, typer.Option("--out", "-o", help="Write the requests here, to be filled in.")
]


def next_(
    calibrators: Fitted,
    answers: Answers,
    ratings: Rated = None,
    routing: RoutingFile = None,
    items: Items = None,
    count: Count = 10,
    per_item: PerItem = 1,
    out: Out = None,
    uncorrected: Uncorrected = False,
    seed: Seed = 0,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Lists the ratings that would teach a calibrator most, and items in doubt.

    Uncertain items are those whose answer is open, controversial ones those
    about which raters would disagree. With --routing the most is taught for
    the cost, and nobody is asked what the file does not allow. --out has a
    judgment a request, unscored (requested). A correction is in the doubts;
    it is not in the gains, for it has nothing that a rating would teach.

    Example: [bold]assize calibrate next mine/ -a run/ -r ratings.jsonl
    --routing routing.yaml --out requests.jsonl[/bold]
    """
    from assize.calibration import load_calibrator, load_routing
    from assize.calibration.active.active_learning import (
        item_uncertainty,
        most_uncertain,
        request_judgments,
        request_ratings,
    )
    from assize.calibration.groups.membership import unit_labels
    from assize.calibration.tables import request_tables
    from assize.formats import write

    known = ratings_in(ratings, on_error=on_error, quiet=quiet) if ratings else ()
    fitted = [load_calibrator(folder, uncorrected=uncorrected) for folder in calibrators]
    features = features_for(
        [one.calibrator for one in fitted], answers, items, on_error=on_error, quiet=quiet
    )
    rules = None if routing is None else load_routing(routing)
    fields = [field for one in fitted for field in one.fields] + list(rules.fields if rules else ())
    groups = unit_labels(list(dict.fromkeys(fields)), features.units, items_of(items))
    wanted = request_ratings(
        [one.calibrator for one in fitted], features,
        rated={((row.item, row.turn), row.question, row.judge) for row in known},
        routing=rules, groups=groups, count=count, per_item=per_item,
        rng=np.random.default_rng(seed),
    )  # fmt: skip
    found = {}
    for one in fitted:
        everyone = range(len(one.calibrator.raters))
        p = one.probabilities(features, everyone, groups)
        found[one.calibrator.target.id] = most_uncertain(item_uncertainty(features.units, p), count)
    signed = "+".join([*(one.signature for one in fitted), *([rules.signature] if rules else [])])
    if out is not None:
        asked = [one.calibrator.target.question for one in fitted]
        write(out, request_judgments(wanted.found, signed), questions=asked)
    if json:
        print_json(
            {
                "next": [asdict(wish) for wish in wanted.found],
                "items": {
                    name: {kind: [asdict(row) for row in rows] for kind, rows in kinds.items()}
                    for name, kinds in found.items()
                },
                "candidates": wanted.candidates,
                "rated": wanted.rated,
                "excluded": wanted.excluded,
                "at_limit": list(wanted.at_limit),
                "new_raters": list(wanted.new_raters),
                "unknown_items": list(rules.unknown_items(features.units) if rules else ()),
                "corrected": any(one.correction is not None for one in fitted),
                "out": out,
                "signature": signed,
            }
        )
        return
    print_tables(request_tables(wanted, found, costs=rules is not None))
    if not quiet:
        _explain(wanted, rules, features.units)
        if out is not None:
            note(f"{out}: {len(wanted.found):,} requests")


def _explain(wanted: RatingRequests, rules: Routing | None, units: tuple[Unit, ...]) -> None:
    note("gain, entropy: in nats; between raters: the part of it that is disagreement")
    if rules is None:
        return
    note(
        f"{wanted.candidates:,} (item, question, rater) in all: {wanted.excluded:,} excluded by"
        f" the routing, {wanted.rated:,} rated already"
    )
    for names, said in (
        (wanted.at_limit, "reached a limit of the routing"),
        (wanted.new_raters, "not known to every calibrator: predicted as unknown there"),
        (rules.unknown_items(units), "named in the routing, and none of the items"),
    ):
        if names:
            more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
            note(f"{', '.join(names[:5])}{more}: {said}")

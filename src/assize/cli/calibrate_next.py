"""`assize calibrate next`: which ratings would teach most, and which items are in doubt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from assize.cli.calibrate_fit import Answers
from assize.cli.options import Json, OnError, Quiet, Seed
from assize.cli.reading import answers_in, ratings_in
from assize.cli.terminal import note, print_json, print_table

Fitted = Annotated[
    list[Path], typer.Argument(metavar="DIR...", help="Calibrators, one a question.")
]
Rated = Annotated[
    list[str] | None,
    typer.Option("--ratings", "-r", help="Ratings there are; not asked for again. Repeatable."),
]
Count = Annotated[int, typer.Option("--count", "-n", min=1, help="How many of each list.")]
PerItem = Annotated[
    int, typer.Option("--per-item", min=1, help="Ratings of one item and question, at most.")
]


def next_(
    calibrators: Fitted,
    answers: Answers,
    ratings: Rated = None,
    count: Count = 10,
    per_item: PerItem = 1,
    seed: Seed = 0,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Lists the ratings that would teach a calibrator most, and items in doubt.

    Uncertain items are those whose answer is open, controversial ones those
    about which raters would disagree.

    Example: [bold]assize calibrate next mine/ -a run/ -r ratings.jsonl --count 20[/bold]
    """
    from assize.calibration import features_of, load
    from assize.calibration.artefact import signature
    from assize.calibration.labelling import Doubt, Wish, doubts, wishes

    features = features_of(answers_in(answers, on_error=on_error, quiet=quiet))
    known = ratings_in(ratings, on_error=on_error, quiet=quiet).rows if ratings else ()
    rng = np.random.default_rng(seed)
    wanted: list[Wish] = []
    found: dict[str, list[Doubt]] = {}
    fitted = [load(folder) for folder in calibrators]
    for one in fitted:
        name = one.target.id
        rated = {((row.item, row.turn), row.judge) for row in known if row.question == name}
        wanted += wishes(one, features, rated=rated, count=count, per_item=per_item, rng=rng)
        found[name] = doubts(one, features)
    wanted = sorted(wanted, key=lambda wish: -wish.gain)[:count]
    lists = {
        name: {
            "uncertain": sorted(rows, key=lambda row: -row.entropy)[:count],
            "controversial": sorted(rows, key=lambda row: -row.between)[:count],
        }
        for name, rows in found.items()
    }
    if json:
        print_json(
            {
                "next": [_plain(wish) for wish in wanted],
                "items": {
                    name: {kind: [_plain(row) for row in rows] for kind, rows in kinds.items()}
                    for name, kinds in lists.items()
                },
                "signature": "+".join(signature(one) for one in fitted),
            }
        )
        return
    rows = [(wish.rater, wish.question, _item(wish), f"{wish.gain:.3f}") for wish in wanted]
    print_table("To be rated next", ("rater", "question", "item", "gain"), rows, text=_WORDS)
    for name, kinds in lists.items():
        for kind, items in kinds.items():
            doubtful = [(_item(row), f"{row.entropy:.2f}", f"{row.between:.2f}") for row in items]
            print_table(f"{name}: {kind} items", ("item", "entropy", "between raters"), doubtful)
    if not quiet:
        note("gain, entropy: in nats; between raters: the part of it that is disagreement")


_WORDS = ("rater", "question", "item")


def _item(row: object) -> str:
    turn = getattr(row, "turn", None)
    return f"{getattr(row, 'item', '')}" + ("" if turn is None else f", turn {turn}")


def _plain(row: object) -> dict[str, object]:
    from dataclasses import asdict

    return asdict(row)  # type: ignore[call-overload, no-any-return]

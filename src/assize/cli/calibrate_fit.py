"""`assize calibrate fit`: a calibrator from a model's answers and people's ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assize.cli.options import Json, OnError, Quiet, Seed
from assize.cli.reading import answers_in, ratings_in
from assize.cli.terminal import note, print_json, progress

if TYPE_CHECKING:
    from assize.calibration import Calibrator, Forms

Answers = Annotated[
    list[str],
    typer.Option("--answers", "-a", help="Judgments by models: files or runs; repeatable."),
]
Ratings = Annotated[
    list[str], typer.Option("--ratings", "-r", help="Judgments by people; repeatable.")
]
Target = Annotated[str, typer.Option("--target", "-t", help="The question to be predicted.")]
Folder = Annotated[Path, typer.Option("--out", "-o", help="Folder of the new calibrator.")]
Network = Annotated[
    str,
    typer.Option("--network", help="default, or paper: the published network, with a search."),
]
SearchGrid = Annotated[
    str,
    typer.Option("--grid", help="Settings that --network paper searches: small or published."),
]
Folds = Annotated[int, typer.Option("--folds", min=2, help="Parts of that search, by item.")]
Seeds = Annotated[
    int, typer.Option("--seeds", min=1, help="Networks of --network paper that are averaged.")
]
WithoutRater = Annotated[
    list[str] | None,
    typer.Option("--drop-rater", help="Leave out all ratings of this rater; repeatable."),
]


def fit(
    answers: Answers,
    ratings: Ratings,
    target: Target,
    out: Folder,
    network: Network = "default",
    grid: SearchGrid = "small",
    folds: Folds = 5,
    seeds: Seeds = 1,
    drop_rater: WithoutRater = None,
    seed: Seed = 0,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learns what each rater would answer from what a model answered.

    Any subset of questions may be answered and any subset of items rated. NA
    and missing ratings are left out; repeated ones are kept; all are counted.
    The default needs no seed: the same data give the same numbers.

    Example: [bold]assize calibrate fit -a run/ -r ratings.jsonl -t Q0 --out mine/[/bold]
    """
    from assize.calibration import features_of, forms_of, save
    from assize.judgment import JudgmentTable

    features = features_of(answers_in(answers, on_error=on_error, quiet=quiet))
    table = ratings_in(ratings, on_error=on_error, quiet=quiet)
    if drop_rater:
        _check_known(drop_rater, table.judges)
        kept = tuple(row for row in table if row.judge not in drop_rater)
        table = JudgmentTable(kept, table.questions, table.inferred)
    forms = forms_of(features, table, target)
    calibrator, details = _fitted(forms, network, grid, folds, range(seed, seed + seeds), quiet)
    found: dict[str, Any] = _counts(forms) | details
    found["signature"] = save(calibrator, out, found)
    found["out"] = str(out)
    if json:
        print_json(found)
    elif not quiet:
        _tell(found)


def _check_known(names: list[str], known: tuple[str, ...]) -> None:
    from assize.errors import ConfigError

    for name in names:
        if name not in known:
            raise ConfigError(f"--drop-rater {name}: nobody of that id rated anything")


def _fitted(
    forms: Forms, network: str, grid: str, folds: int, seeds: range, quiet: bool
) -> tuple[Calibrator, dict[str, Any]]:
    from dataclasses import asdict

    import numpy as np

    from assize.calibration import fit_default, item_folds
    from assize.calibration.search import GRIDS, fit_paper
    from assize.errors import ConfigError

    if network == "default":
        found = fit_default(forms)
        return found, {"network": network, "variances": asdict(found.posteriors[0].variances)}
    if network != "paper":
        raise ConfigError(f"--network {network}: allowed are default and paper")
    if grid not in GRIDS:
        raise ConfigError(f"--grid {grid}: allowed are {', '.join(GRIDS)}")
    parts = item_folds(forms, folds, np.random.default_rng(seeds.start))
    with progress("settings", len(GRIDS[grid]), quiet=quiet) as advance:
        networks, searched = fit_paper(forms, parts, grid=GRIDS[grid], seeds=seeds, tick=advance)
    return networks, {
        "network": network,
        "grid": grid,
        "setting": asdict(searched.best),
        "held_out_log_likelihood": float(searched.log_likelihood_of(searched.best)),
    }


def _counts(forms: Forms) -> dict[str, Any]:
    per_rater = [int((forms.rater == place).sum()) for place in range(len(forms.raters))]
    return {
        "target": forms.target.id,
        "forms": len(forms),
        "ratings": int((forms.y >= 0).sum()),
        "raters": len(forms.raters),
        "raters_with_one_form": sum(count == 1 for count in per_rater),
        "duplicates": forms.duplicates,
        "answers_averaged": forms.features.duplicates,
        "answers_unscored": forms.features.unscored,
        "not_applicable": forms.not_applicable,
        "unscored": forms.unscored,
        "items_without_answers": len(forms.unmatched or {}),
        "ratings_without_answers": sum((forms.unmatched or {}).values()),
    }


def _tell(found: dict[str, Any]) -> None:
    note(
        f"{found['out']}: {found['target']} of {found['raters']} raters,"
        f" from {found['ratings']:,} ratings in {found['forms']:,} forms"
    )
    for name, text in (
        ("duplicates", "forms beyond a rater's first about an item, kept"),
        ("raters_with_one_form", "raters with one form, drawn to the others"),
        ("not_applicable", "ratings NA, left out"),
        ("unscored", "ratings missing, left out"),
        ("ratings_without_answers", "ratings of items that no model answered about, left out"),
        ("answers_unscored", "answers of a model missing; they count as average"),
        ("answers_averaged", "repeated answers of a model, averaged"),
    ):
        if found[name]:
            note(f"  {found[name]:,} {text}")

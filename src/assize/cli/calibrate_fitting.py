"""How `assize calibrate fit` fits the default calibrator, or the published network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assize.cli.terminal import progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assize.calibration import Calibrator, Forms, Setting
    from assize.calibration.hierarchical.fit import Personal
    from assize.calibration.network.answer_embeddings import Code


def fit_hierarchical(forms: Forms, personal: Personal) -> tuple[Calibrator, dict[str, Any]]:
    """The default calibrator, and what there is to tell of it."""
    from dataclasses import asdict

    from assize.calibration import fit_default
    from assize.calibration.hierarchical.helper_weight import weight_of_helpers

    details: dict[str, Any] = {"network": "default"}
    if forms.helpers:
        details["helpers_count"] = weight_of_helpers(forms, personal=personal)
    count = details.get("helpers_count", 1.0)
    found = fit_default(forms, personal=personal, helpers_count=count)
    return found, details | {"variances": asdict(found.posteriors[0].variances)}


def check_unused(options: Mapping[str, object]) -> None:
    """Raises ConfigError where an option of the search is given and nothing is searched."""
    from assize.errors import ConfigError

    for name, given in options.items():
        if given is not None:
            raise ConfigError(f"{name} is for --network paper; the default needs no search")


def layers(personal: Personal) -> tuple[bool, bool, bool]:
    """Which layers of the published network have weights of each rater's own."""
    return (True, True, True) if personal == "all" else (False, False, True)


def fit_published(
    forms: Forms,
    network: str,
    grid: str,
    folds: int,
    seeds: range,
    base: Setting,
    size: int | None,
    quiet: bool,
) -> tuple[Calibrator, dict[str, Any]]:
    """The published network, searched on some folds, and what there is to tell of it."""
    from dataclasses import asdict, replace

    import numpy as np

    from assize.calibration.network.search import GRIDS, STARTS, fit_paper
    from assize.errors import ConfigError
    from assize.studies import dealt

    if network != "paper":
        raise ConfigError(f"--network {network}: allowed are default and paper")
    if grid not in GRIDS:
        raise ConfigError(f"--grid {grid}: allowed are {', '.join(GRIDS)}")
    if forms.choices is not None:
        raise ConfigError("the published network does not learn from choices; use the default")
    settings = replace(GRIDS[grid], base=base)
    if forms.helpers:  # a trusted rater's random weights would bury what helpers teach
        settings = replace(settings, base=replace(base, wait=max(settings.pretrain)))
    codes = () if size is None else _codes(forms, size)
    if codes:  # the published start is too wide for so many answers
        settings = replace(settings, initial=STARTS)
    parts = dealt(forms.item, folds, np.random.default_rng(seeds.start))
    with progress("settings", len(settings), quiet=quiet) as advance:
        networks, searched = fit_paper(
            forms, parts, grid=settings, seeds=seeds, tick=advance, codes=codes
        )
    return networks, {
        "network": network,
        "grid": grid,
        "setting": asdict(searched.best),
        "answer_embeddings": {code.question: code.size for code in codes},
        "held_out_log_likelihood": float(searched.log_likelihood_of(searched.best)),
    }


def _codes(forms: Forms, size: int) -> Sequence[Code]:
    """Vectors of the answers of all questions that have many."""
    from assize.calibration import answer_codes
    from assize.encoders import load_encoder
    from assize.errors import ConfigError

    found = answer_codes(forms, load_encoder("minilm", cached=True), size=size)
    if not found:
        raise ConfigError("--answer-embeddings: no question has more than 12 answers")
    return found

"""An ensemble from metrics of continuations and what people said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assize.base.arguments import shown
from assize.base.errors import ConfigError
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import answers_in, items_beside, names_of, ratings_in
from assize.formats.files import make_folder
from assize.reference._ensemble.columns import Columns, of_paper
from assize.reference._ensemble.ensemble import Ensemble
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.models.learners import fit_here
from assize.reference._ensemble.sample import (
    Missing,
    conversations_of,
    sample_of,
    stored_conversations,
)
from assize.reference._ensemble.settings import (
    AUTO,
    OwnEnsemble,
    PublishedEnsemble,
)
from assize.reference._ensemble.targets import targets_of
from assize.results.log import log
from assize.running.progress import progress


def fit(
    metrics: JudgmentsLike,
    ratings: JudgmentsLike,
    *,
    question: str | Sequence[str],
    items: ItemsLike | None = None,
    out: str | Path | None = None,
    ensemble: OwnEnsemble | PublishedEnsemble = OwnEnsemble(),
    missing: Missing = "unscored",
    folds: int = 5,
    confidence: float = 0.9,
    seed: int = 0,
    quiet: bool = False,
) -> Ensemble:
    """Learn to predict what people say of a continuation from its metrics.

    Fitted on items that people rated, split by conversation: each of 5 folds is held out once. The
    folder is the judge ensemble@FOLDER. Without scikit-learn, ridge regression (for the paper's
    models, linear) is used; predicting never needs it.

    Args:
        metrics: runs of `reference score`, and of other judges (repeatable).
        ratings: judgments by people, with the continuations among them or not (repeatable).
        question: question that people answered, or a+b+c for the mean of several on 0..1
            (repeatable). Of several, each is a corpus of its own, and the target is the deviation
            from its mean.
        items: files of the continuations, for their conversations (repeatable). Default: those
            among the ratings or the metrics, else what the metrics' judgments say.
        out: folder to write the new ensemble to.
        ensemble: recipe: own, or paper (the 12 metrics of UPHELD, one row per annotation, untuned).
            In Python `OwnEnsemble` or `PublishedEnsemble` of `assize.reference._ensemble`.
        missing: what to do if a metric is missing: leave the item unscored, or impute the metric's
            mean.
        folds: number of folds of conversations, each held out once.
        seeds: times to repeat the cross-validation, with new folds.
        confidence: share of items that the prediction intervals should cover.
        seed: random seed.
        quiet: no progress.

    Returns:
        The ensemble, with `predict`, `explain`, `save`, and the held-out figures in `about`.

    Raises:
        ConfigError: an option is not among those allowed.
        DataError: there are fewer than 20 conversations with metrics and ratings, or nothing
            can be learnt from them.
        MissingExtra: a model that was named needs scikit-learn, which is not installed.
    """
    if not isinstance(ensemble, OwnEnsemble | PublishedEnsemble):
        problem = f"ensemble: received {shown(ensemble)}; give OwnEnsemble(...)"
        raise ConfigError(f"{problem} or PublishedEnsemble(...)")
    how = ensemble.settings(missing=missing, folds=folds, confidence=confidence, seed=seed)
    if out is not None:
        make_folder(Path(out))  # before minutes of work that would be lost
    measured = answers_in(metrics, what="metrics")
    known = Columns.of(measured)
    targets = targets_of(ratings_in(ratings), names_of(question) or [])
    conversation = stored_conversations(measured) | conversations_of(
        one
        for given, beside in ((ratings, items), (metrics, None))
        for one in items_beside(given, beside)
    )
    if not any(name in conversation for name in targets.items):
        log.warning(
            "no conversations known: each item counts as one of its own; give the continuations"
            " (--items), or figures look better than they are"
        )
    chosen = known if isinstance(ensemble, OwnEnsemble) else known.take(of_paper(known))
    sample = sample_of(chosen, targets, conversation, missing=missing)
    model = how.learner(targets.standardised)
    if how.model == AUTO or how.annotations:  # a model that was named is not exchanged
        instead = "linear" if how.annotations else "ridge"
        (model, *compared), note = fit_here([model, *how.compared], instead=instead)
        if note is not None:
            log.warning(note)
        how = replace(how, model=model, compared=tuple(compared))
    fits = how.folds * len({model, *how.compared})
    with progress("fits", fits, quiet=quiet) as advance:
        found = learn(sample, how, tick=advance)
    if out is None:
        return found
    found.save(out)
    return replace(found, folder=str(out))

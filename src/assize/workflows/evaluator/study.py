"""What an evaluator learns from judges' votes, by learner and by jury, measured against gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assize.arguments import check_range
from assize.conversation import Pair
from assize.encoders import load_encoder
from assize.evaluator.measuring.runtime import runtimes
from assize.evaluator.measuring.tasks import GOLD
from assize.evaluator.study.studied import EvaluatorStudy
from assize.evaluator.study.study import SHOWN, Settings, study
from assize.evaluator.study.vote_counts import vote_counts
from assize.evaluator.study.voted_pairs import voted_pairs
from assize.formats import ItemsLike, JudgmentsLike
from assize.judgment import PREFERENCE
from assize.judgments import JudgmentTable
from assize.running.progress import progress
from assize.workflows.evaluator.given import judgments_beside, read_twice
from assize.workflows.reading import items_in, judgments_of, listed, names_of


def study_evaluators(
    pairs: ItemsLike,
    *,
    votes: JudgmentsLike | None = None,
    gold_from: JudgmentsLike | None = None,
    question: str = PREFERENCE.id,
    judges: str | Sequence[str] = (),
    learners: str | Sequence[str] = (),
    learner: str = "joint",
    weak: str | None = None,
    strong: str | None = None,
    exchangeable: bool = False,
    gold: str = GOLD,
    by: str | None = None,
    folds: int = 5,
    seeds: int = 3,
    permutations: int = 2_000,
    timed: str | Sequence[str] = (),
    seed: int = 0,
    encoder: str = "minilm",
    quiet: bool = False,
) -> EvaluatorStudy:
    """Learns evaluators from each judge's votes, from all judges', and from other juries.

    Every learner has the same encoder, features, head and penalties, and is measured on pairs
    that it has not seen, against gold that it does not learn from.

    Args:
        pairs: paths, URLs, or - for standard input, with the pairs. In Python also records, dicts
            and tables.
        votes: the judges' judgments of the pairs, by default those that stand among the pairs
            (repeatable).
        gold_from: gold labels or people's preferences, where neither the pairs nor the votes hold
            them (repeatable).
        question: what is learnt, preference (Overall too) or a dimension.
        judges: only these judges, by default all but people (repeatable, or with commas).
        learners: ways to learn from all judges, by default all of them (repeatable, or with
            commas).
        learner: by which the juries are learnt from.
        weak: judge that is exchanged for the default jury's most reliable one, by default the
            least reliable of five or more.
        strong: judge that is added to the default jury, by default the second most reliable of
            five or more.
        exchangeable: which response is A is chance, or always the better one.
        gold: the judge whose answers are gold.
        by: what pairs that are held out together share, by default a text: system, metadata.NAME,
            or a pattern whose group is found in ids.
        folds: of pairs that share no text; each is held out once.
        seeds: how often folds are dealt anew.
        permutations: of each test.
        timed: also take the seconds of this judge, such as evaluator@default or rating@hf:PATH
            (repeatable).
        seed: seed of the tests and of intervals.
        encoder: what encodes the texts.
        quiet: no progress and no notes.

    Returns:
        An `EvaluatorStudy`. A learner that fails on these votes has no figure and its reason; a
        pair without gold teaches and is not measured.

    Raises:
        ConfigError: no such learner or judge.
        DataError: no pair, vote or gold; gold of one side only; too few independent pairs.
        MissingExtra: a part of the extra `score` is not installed.

    Source: MTDEval (Tang et al.), sections 5.5 to 5.7: figures 3 and 4, tables 3 to 5.
    """
    check_range("folds", folds, 2, 100)
    check_range("seeds", seeds, 1, 1_000)
    check_range("permutations", permutations, 100, 1_000_000)
    check_range("seed", seed, 0)
    how = Settings(
        learners=tuple(names_of(learners) or SHOWN),
        learner=learner,
        folds=folds,
        seeds=seeds,
        permutations=permutations,
        seed=seed,
        weak=weak,
        strong=strong,
    )
    pairs = read_twice(pairs)
    cast = judgments_beside(pairs, votes)
    known = cast if gold_from is None else JudgmentTable.concat([cast, judgments_of(gold_from)])
    items = [item for item in items_in(pairs) if isinstance(item, Pair)]
    data = voted_pairs(
        items,
        known,
        load_encoder(encoder, cached=True),
        question=question,
        gold=gold,
        by=by,
        exchangeable=exchangeable,
        judges=names_of(judges),
    )
    counts = [one for one in vote_counts(cast, gold=gold) if one.judge in data.judges]
    with progress("learning", None, quiet=quiet) as advance:
        found = study(data, how, question=question, counts=counts, tick=advance)
    if listed(timed):
        found = replace(found, runtimes=tuple(runtimes(listed(timed), items)))
    return found

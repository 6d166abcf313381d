"""What an evaluator learns from judges' votes, by learner and by jury, measured against gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assize.base.conversation import Pair
from assize.base.judgment import PREFERENCE
from assize.encoders import load_encoder
from assize.evaluator._inputs import judgments_beside, read_twice
from assize.evaluator._measuring.runtime import runtimes
from assize.evaluator._study.studied import EvaluatorStudy
from assize.evaluator._study.study import SHOWN, Gold, Juries, Settings, study
from assize.evaluator._study.vote_counts import vote_counts
from assize.evaluator._study.voted_pairs import voted_pairs
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_in, judgments_of, listed, names_of
from assize.judgments import JudgmentTable
from assize.running.progress import progress
from assize.stats._statistics import Statistics
from assize.stats._studies.folds import KFold

USUAL = Statistics(permutations=2_000, seed=0)


def evaluators(
    pairs: ItemsLike,
    *,
    votes: JudgmentsLike | None = None,
    gold: Gold = Gold(),
    question: str = PREFERENCE.id,
    juries: Juries = Juries(),
    learners: str | Sequence[str] = (),
    splits: KFold = KFold(),
    timed: str | Sequence[str] = (),
    encoder: str = "minilm",
    statistics: Statistics = USUAL,
    quiet: bool = False,
) -> EvaluatorStudy:
    """Learn evaluators from each judge's votes, from all judges' votes, and from other juries.

    Every learner has the same encoder, features, head and penalties, and is measured on pairs that
    it has not seen, against gold that it does not learn from.

    Args:
        pairs: files of pairs: paths, URLs, or - for standard input. In Python also records, dicts
            and tables.
        votes: votes of judges on the pairs (repeatable). Default: those among the pairs.
        gold: what the pairs are measured against; see `Gold`.
        question: what to learn: preference (also called Overall), or one dimension.
        juries: which judges there are, and how juries of them are learnt from; see `Juries`.
        learners: learners that learn from all judges (repeatable, or separated by commas). Default:
            all learners.
        splits: what is held out: pairs that share a text are in one fold, or those of a group.
        timed: also time this judge, for example evaluator@default or rating@hf:PATH, in seconds
            (repeatable).
        encoder: encoder of the texts: minilm, hf:PATH-or-id or openai:NAME.
        statistics: how tests are made, and what is drawn; see `Statistics`.
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
    usual = statistics.settings(USUAL)
    how = Settings(
        learners=tuple(names_of(learners) or SHOWN),
        learner=juries.learner,
        folds=splits.folds,
        seeds=splits.seeds,
        permutations=usual.permutations,
        seed=usual.seed,
        weak=juries.weak,
        strong=juries.strong,
    )
    pairs = read_twice(pairs)
    cast = judgments_beside(pairs, votes)
    known = cast
    if gold.gold_from is not None:
        known = JudgmentTable.concat([cast, judgments_of(gold.gold_from)])
    items = [item for item in items_in(pairs) if isinstance(item, Pair)]
    data = voted_pairs(
        items,
        known,
        load_encoder(encoder, cached=True),
        question=question,
        gold=gold.judge,
        by=splits.folds_by,
        exchangeable=gold.exchangeable,
        judges=names_of(juries.judges),
    )
    counts = [one for one in vote_counts(cast, gold=gold.judge) if one.judge in data.judges]
    with progress("learning", None, quiet=quiet) as advance:
        found = study(data, how, question=question, counts=counts, tick=advance)
    if listed(timed):
        found = replace(found, runtimes=tuple(runtimes(listed(timed), items)))
    return found

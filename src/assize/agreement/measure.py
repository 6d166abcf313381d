"""From a table of judgments to the agreement of its judges: what `assize agree` calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from assize.agreement.audit import audit_judge
from assize.agreement.by_field import accuracy_by_group
from assize.agreement.figures import (
    RANK_FIGURES,
    all_together,
    closer_to_gold,
    compare_pair,
    partners,
    scales_differ,
)
from assize.agreement.options import AgreeOptions
from assize.agreement.raters import compare_raters
from assize.agreement.result import Agreement
from assize.agreement.rows import GoldComparison, JudgeCounts, QuestionFacts
from assize.base.errors import ConfigError
from assize.base.judgment import TRUTHS, infer_question
from assize.base.signature import sign
from assize.base.version import __version__
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE, Columns, columns, with_people
from assize.judgments.item_fields import Facts, cluster_labels
from assize.stats import Interval, adjust

RANKS_ONLY = "only rank correlations are given, for order is all that they share"


def measure_agreement(
    table: JudgmentTable,
    questions: Sequence[str],
    options: AgreeOptions,
    facts: Mapping[str, Facts] | None = None,
) -> Agreement:
    """Return the agreement of the judges on each question.

    Args:
        facts: of the items, where they are known; clusters, groups and audits need them.

    Raises:
        ConfigError: a judge that was named did not answer a question.
        DataError: the field of `cluster` is not known of an item.
    """
    facts, how = facts or {}, options.statistics
    about: list[QuestionFacts] = []
    judges, overall, pairs, raters = [], [], [], []
    comparisons, groups, audits = [], [], []
    notes: list[str] = []
    alone: list[str] = []
    compared: dict[str, Columns] = {}
    for question in questions:
        answers = select_answers(table, question, options)
        gold = gold_judge(answers, options.gold)
        compared[question] = answers = keep_judges(answers, options, gold)
        clusters = np.asarray(cluster_labels(answers.items, facts, how.cluster))
        kind, text = answers.question.kind, answers.question.text or ""
        units, data = len(answers.units), answers.digest()
        about.append(QuestionFacts(question, kind, text, gold, units, data))
        judges += count_answers(answers, gold)
        ranks = question in options.mixed or scales_differ(answers)
        if ranks:
            check_ranks(question, options)
            notes.append(f"{question}: judges answer on different scales: {RANKS_ONLY}")
            together = select_people(table, answers, options)
            if together is not None:
                alone.append(question)
        else:
            together = answers
        if together is not None:
            labels = np.asarray(cluster_labels(together.items, facts, how.cluster))
            overall += all_together(together, gold, labels, how)
            raters += compare_raters(together, gold, labels, how)
        named, left_out = partners(answers, gold, named=options.judges is not None)
        notes += [f"{question}: left out {note}" for note in left_out]
        pairs += [compare_pair(answers, *pair, gold, clusters, how, ranks=ranks) for pair in named]
        if options.compare is not None and gold is not None:
            comparisons.append(closer_to_gold(answers, options.compare, gold, clusters, how))
        if options.by is not None and gold is not None and answers.question.kind == "preference":
            rows, lacking = accuracy_by_group(answers, gold, facts, options.by)
            groups += rows
            notes += [f"{lacking:,} judged items have no {options.by}"] if lacking else []
        if options.audit is not None:
            for judge, column in answers.by_judge.items():
                if not column.person:
                    audits += audit_judge(table, answers, judge, gold, facts, clusters, options)
    settings = {
        "agree": ", ".join(questions),
        "data": ", ".join(row.data for row in about),
        "gold": options.gold,
        "interval": interval_words(how.interval),
        "votes": options.votes,
        "clusters": how.cluster,
        "by": options.by,
        "permutations": how.permutations,
        "seed": how.seed,
        "assize": __version__,
    }
    return Agreement(
        about,
        overall,
        pairs,
        adjusted(comparisons),
        groups,
        audits,
        judges,
        raters,
        compared,
        table,
        notes,
        settings,
        sign(settings, options.judges),
        sorted(table.inferred),
        table.duplicates,
        alone,
    )


def check_ranks(question: str, options: AgreeOptions) -> None:
    """Raise ConfigError where judges on different scales are compared by more than their order."""
    allowed = (None, *RANK_FIGURES)
    if options.compare is not None and options.compare.measure not in allowed:
        raise ConfigError(
            f"measure {options.compare.measure}: judges answer {question} on different scales; give"
            f" {' or '.join(RANK_FIGURES)}"
        )


def interval_words(interval: Interval) -> str:
    """Return the kind of interval in words, with how many samples a bootstrap draws."""
    drawn = "" if interval.method == "jackknife" else f" of {interval.resamples:,}"
    return f"{interval.method}{drawn} {interval.confidence:g}"


def select_answers(table: JudgmentTable, question: str, options: AgreeOptions) -> Columns:
    """Return one value a judge and item, with `people` as a judge where it is asked for."""
    answers = columns(table, question, votes=options.votes)
    if PEOPLE in (options.gold, *options.compared):
        return with_people(answers)
    return answers


def select_people(table: JudgmentTable, answers: Columns, options: AgreeOptions) -> Columns | None:
    """Return the answers of people alone, on the scale that their answers tell.

    None where these differ in scale too, or nobody is left.
    """
    question = answers.question.id
    rows = table.where(kind="person", question=question)
    rows = rows.where(judge=list(answers.by_judge))
    if question in options.mixed_people or not len(rows):
        return None
    scale = infer_question(question, rows.answers_seen()[question])
    if scale.kind != "ordinal":
        scale = replace(answers.question, kind="number", answers=(), values=None, range=None)
    stated = JudgmentTable(rows.arrow, {**table.questions, question: scale})
    people = select_answers(stated, question, options)
    return None if scales_differ(people) else people


def gold_judge(answers: Columns, name: str | None) -> str | None:
    """Return the judge that counts as true; None where there is none."""
    if name is not None:
        require_judges(answers, [name])
        return name
    return next((judge for judge in TRUTHS if judge in answers.by_judge), None)


def keep_judges(answers: Columns, options: AgreeOptions, gold: str | None) -> Columns:
    """Return the answers of the named judges, of those compared and of gold."""
    require_judges(answers, options.compared)
    if options.judges is None:
        return answers
    require_judges(answers, options.judges)
    names = [*options.judges, *options.compared, *([gold] if gold is not None else [])]
    return replace(answers, by_judge={name: answers.by_judge[name] for name in names})


def require_judges(answers: Columns, names: Sequence[str]) -> None:
    """Raise ConfigError naming the first judge that did not answer the question."""
    for name in names:
        if name not in answers.by_judge:
            known = ", ".join(list(answers.by_judge)[:20])
            raise ConfigError(
                f"no judge {name!r} answered {answers.question.id}; these did: {known}"
            )


def count_answers(answers: Columns, gold: str | None) -> list[JudgeCounts]:
    """Return how much each judge answered, gold first."""
    rows = [
        JudgeCounts(
            answers.question.id,
            name,
            name == gold,
            column.scored,
            column.unscored,
            column.not_applicable,
            column.split,
        )
        for name, column in answers.by_judge.items()
    ]
    person = {name: one.person and name != PEOPLE for name, one in answers.by_judge.items()}
    return sorted(rows, key=lambda row: (not row.gold, person[row.judge]))


def adjusted(comparisons: Sequence[GoldComparison]) -> list[GoldComparison]:
    """Return the comparisons; of several questions with p-values after Holm's adjustment."""
    if len(comparisons) < 2:
        return list(comparisons)
    p_values = adjust([row.test.p_value for row in comparisons])
    return [replace(row, p_holm=p) for row, p in zip(comparisons, p_values, strict=True)]

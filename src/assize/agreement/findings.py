"""From a table of judgments to all findings on one question: what `assize agree` calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assize.agreement.audit import Audit
from assize.agreement.audit import audit as audit_of
from assize.agreement.by_field import ByField, by_field, has_groups
from assize.agreement.columns import PEOPLE, Columns, columns, with_people
from assize.agreement.items import Facts, cluster_labels
from assize.agreement.study import Settings, Study, compare_judges, study
from assize.agreement.tables import (
    audit_table,
    comparison_table,
    judge_table,
    overall_table,
    pair_table,
)
from assize.errors import ConfigError
from assize.judgment import TRUTHS
from assize.judgments import JudgmentTable
from assize.judgments.combine import Votes
from assize.results import ResultTable, with_rows
from assize.signature import sign_text
from assize.stats import Comparison
from assize.stats.compare import Measure
from assize.version import __version__


@dataclass(frozen=True, slots=True)
class AgreeOptions:
    """What is to be found out.

    Args:
        judges: the only ones to look at; all when None.
        gold: the judge that counts as true, or `people`; None takes `gold` if it is there.
        compare: two judges, to be compared by their agreement with gold.
        measure: what they are compared by; by default by the kind of question.
        cluster: field of the items that says which belong together; `item` for none.
        audit: whether to audit the judges that are no people.
        own: the system that a judge itself is, by judge.
        subgroup: field of the items by which unscored rows are counted.
        votes: how a judge's votes on one pair become one; see `combine`.
        by: field of the items by which accuracy is also given; None for none.
    """

    judges: Sequence[str] | None = None
    gold: str | None = None
    compare: tuple[str, str] | None = None
    measure: Measure | None = None
    cluster: str = "item"
    audit: bool = False
    own: Mapping[str, str] = field(default_factory=dict)
    subgroup: str = "system"
    votes: Votes = "agree"
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """What one question came to.

    Args:
        comparison: of the two judges `compared`, by `measure`.
        line: what makes the figures reproducible, in words; `signature` is its hash.
    """

    study: Study
    measure: Measure | None
    comparison: Comparison | None
    compared: tuple[str, str] | None
    audits: Sequence[Audit]
    line: str
    signature: str
    by: ByField | None = None

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """The figures by `judges`, `overall`, `pairs`, `comparison` and `audit JUDGE`."""
        name = self.study.found.question.id
        found = {
            "judges": judge_table(self.study),
            "overall": overall_table(self.study),
            "pairs": pair_table(self.study),
        }
        if self.comparison is not None and self.compared is not None:
            title = f"{self.measure} against {self.study.gold}"
            found["comparison"] = comparison_table(self.comparison, self.compared, title)
        if self.by is not None:
            found["by"] = self.by.table()
        found |= {f"audit {one.judge}": audit_table(one) for one in self.audits}
        titled = {key: replace(one, title=f"{name}: {one.title}") for key, one in found.items()}
        return with_rows(titled)


def find(
    table: JudgmentTable,
    question: str,
    asked: AgreeOptions,
    facts: Mapping[str, Facts] | None = None,
    settings: Settings | None = None,
) -> Findings:
    """Everything that is asked about one question.

    Args:
        facts: of the items, where they are known.

    Raises:
        ConfigError: a judge that was named did not answer the question.
        DataError: the field of `asked.cluster` is not known of an item.
    """
    facts = {} if facts is None else facts
    settings = Settings() if settings is None else settings
    found = columns(table, question, votes=asked.votes)
    if asked.gold == PEOPLE or (asked.compare is not None and PEOPLE in asked.compare):
        found = with_people(found)
    gold = _gold(found, asked)
    found = _kept(found, asked, gold)
    labels = cluster_labels(found.items, facts, asked.cluster)
    result = study(
        found, gold=gold, clusters=labels, settings=settings, all_pairs=asked.judges is not None
    )
    measure, comparison = None, None
    if asked.compare is not None and gold is not None:
        measure, comparison = compare_judges(
            found, *asked.compare, gold, measure=asked.measure, clusters=labels, settings=settings
        )
    audits = [
        audit_of(
            table,
            found,
            judge,
            facts,
            gold=gold,
            own=asked.own.get(judge),
            subgroup=asked.subgroup,
            clusters=labels,
            settings=settings,
        )
        for judge, column in found.by_judge.items()
        if asked.audit and not column.person
    ]
    line, signature = _signature(found, asked, gold, settings)
    groups = None
    if asked.by is not None and has_groups(found, gold):
        groups = by_field(found, gold, facts, asked.by)
    return Findings(result, measure, comparison, asked.compare, audits, line, signature, groups)


def _gold(found: Columns, asked: AgreeOptions) -> str | None:
    if asked.gold is None:
        return next((one for one in TRUTHS if one in found.by_judge), None)
    if asked.gold not in found.by_judge:
        known = ", ".join(list(found.by_judge)[:20])
        raise ConfigError(
            f"no judge {asked.gold!r} answered {found.question.id}; these did: {known}"
        )
    return asked.gold


def _kept(found: Columns, asked: AgreeOptions, gold: str | None) -> Columns:
    if asked.judges is None:
        return found
    for name in asked.judges:
        if name not in found.by_judge:
            known = ", ".join(list(found.by_judge)[:20])
            raise ConfigError(f"no judge {name!r} answered {found.question.id}; these did: {known}")
    also = () if asked.compare is None else asked.compare
    names = dict.fromkeys([*asked.judges, *also, *([] if gold is None else [gold])])
    return replace(found, by_judge={name: found.by_judge[name] for name in names})


def _signature(
    found: Columns, asked: AgreeOptions, gold: str | None, settings: Settings
) -> tuple[str, str]:
    """The line that makes the figures reproducible, and its hash."""
    how = settings.how
    sampled = "" if how.method == "jackknife" else f":{how.resamples}"
    line = "|".join(
        [
            f"agree:{found.question.id}",
            f"kind:{found.question.kind}",
            f"data:{found.digest()}",
            f"judges:{len(found.by_judge)}",
            f"gold:{gold}",
            f"interval:{how.method}{sampled}:{how.confidence:g}",
            f"votes:{asked.votes}",
            f"clusters:{asked.cluster}",
            f"permutations:{settings.permutations}",
            f"threshold:{settings.threshold:g}",
            f"seed:{settings.seed}",
        ]
    )
    return f"{line}|assize:{__version__}", sign_text(line)

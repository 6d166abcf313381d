"""What `assize agree` comes to: the findings on every question that was looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.agreement.findings import Findings
from assize.agreement.tables import as_json
from assize.judgments import JudgmentTable
from assize.results import Result, ResultTable
from assize.signature import sign_text
from assize.stats import holm


@dataclass(frozen=True, slots=True)
class AgreementResult(Result):
    """Agreement and correlation between judges, a `Findings` a question.

    Args:
        judgments: what the findings were made from.
    """

    findings: Sequence[Findings]
    judgments: JudgmentTable

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """By `QUESTION: judges`, `overall`, `pairs`, `comparison` and `audit JUDGE`."""
        return {
            f"{one.study.found.question.id}: {name}": table
            for one in self.findings
            for name, table in one.tables.items()
        }

    @property
    def lines(self) -> Sequence[str]:
        """What makes each question's figures reproducible, with its hash."""
        return [f"{one.line}|{one.signature}" for one in self.findings]

    @property
    def notes(self) -> Sequence[str]:
        """Of several comparisons at once: what Holm's adjustment leaves of them."""
        tested = [(one, one.comparison) for one in self.findings if one.comparison is not None]
        if len(tested) < 2:
            return ()
        adjusted = holm([comparison.test.p_value for _, comparison in tested])
        return [
            f"{one.study.found.question.id}: p = {p:.2g} after Holm's adjustment for"
            f" {len(tested)} questions"
            for (one, _), p in zip(tested, adjusted.tolist(), strict=True)
        ]

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored answers of all judges, and answers that were asked for."""
        columns = [column for one in self.findings for column in one.study.found.by_judge.values()]
        unscored = sum(column.unscored for column in columns)
        return unscored, unscored + sum(column.scored for column in columns)

    @property
    def signature(self) -> str:
        """Of all questions' figures."""
        return sign_text("|".join(one.signature for one in self.findings))

    def to_json(self) -> dict[str, Any]:
        """Every figure of every question, with n and what is unscored."""
        questions = {
            one.study.found.question.id: {
                **as_json(one.study, one.measure, one.comparison, one.audits),
                **({} if one.by is None else {"by": one.by.to_json()}),
                "signature": one.signature,
                "signature_line": one.line,
            }
            for one in self.findings
        }
        return {
            "questions": questions,
            "inferred": sorted(self.judgments.inferred),
            "duplicates": self.judgments.duplicates,
            "signature": self.signature,
        }

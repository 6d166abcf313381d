"""What comparing versions comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assize.conversation import Item
from assize.results import Result
from assize.results.types import Estimate, Test
from assize.stats.estimate import nullable
from assize.versions.matching import Matching

Verdict = Literal["better", "worse", ""]
_READ = 20  # regressions that JSON names


@dataclass(frozen=True, slots=True)
class Moved:
    """One question by one judge, in one version and the one it is compared with.

    Args:
        segment: "" for all conversations.
        before, after: means, of the conversations that are compared.
        difference: `after - before`, with its interval.
        test: of no difference.
        p_value: the same, corrected (Holm) over all rows of the table it stands in.
        better, equal, worse: shares of pairs; without pairs how often a conversation of the one
            version is above one of the other.
        detectable: the least difference that these conversations show with 80% power.
        needed: conversations a version that the size asked for takes, -1 for what cannot be
            said; None where no size was asked for.
        higher: what a higher value is.
        verdict: where `p_value` is at most the level; "" where the two cannot be told apart.
    """

    judge: str
    question: str
    version: str
    segment: str
    before: Estimate
    after: Estimate
    difference: Estimate
    test: Test
    p_value: float
    better: Estimate
    equal: Estimate
    worse: Estimate
    detectable: float
    needed: int | None
    higher: Literal["better", "worse"]
    verdict: Verdict = ""

    @property
    def paired(self) -> bool:
        """Whether the conversations are pairs."""
        return "pairs" in self.difference.method

    @property
    def more(self) -> int | None:
        """Conversations that are still lacking in the smaller version; None where unknown."""
        if self.needed is None or self.needed < 0:
            return None
        return max(0, self.needed - min(self.before.n, self.after.n))

    def to_json(self) -> dict[str, Any]:
        """One row's figures."""
        found: dict[str, Any] = {
            "judge": self.judge,
            "question": self.question,
            "version": self.version,
            "segment": self.segment or None,
            "paired": self.paired,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "difference": self.difference.to_json(),
            "test": self.test.to_json(),
            "p_corrected": nullable(self.p_value),
            "better": _share(self.better),
            "equal": _share(self.equal),
            "worse": _share(self.worse),
            "detectable": nullable(self.detectable),
            "verdict": self.verdict or None,
        }
        if self.needed is not None:
            found |= {"needed": self.needed if self.needed >= 0 else None, "more": self.more}
        return found


def _share(found: Estimate) -> dict[str, Any]:
    ends = [nullable(100 * end) for end in found.interval]
    return {"percent": nullable(100 * found.estimate), "interval": ends}


@dataclass(frozen=True, slots=True)
class Regression:
    """A conversation to read.

    Args:
        item, before_item: ids in the version, and in the one before; the latter is "" without
            pairs.
        change: `after - before`; NaN without pairs.
        after, before: values on the main question.
    """

    version: str
    item: str
    before_item: str
    after: float
    before: float
    change: float


@dataclass(frozen=True, slots=True)
class VersionsCompared(Result):
    """Versions side by side, each against the first.

    Args:
        versions: names, the baseline first, with how many conversations each has.
        matchings: by version how it is paired with the baseline.
        rows: of all conversations.
        segments: the same by segment.
        by: the field of segments; "" for none.
        regressions: worst first.
        items: what is known of the conversations to read, by version and id.
        main: judge and question by which regressions are ordered.
        level: of the verdicts.
        detect: the size that was asked for.
        unscored: judgments of the questions that could not be made, and all there are.
        told: what a reader should know.
        signature: of what could change the numbers.
    """

    tables_from = "assize.versions.tables:compared_tables"

    versions: Mapping[str, int]
    matchings: Mapping[str, Matching]
    rows: Sequence[Moved]
    segments: Sequence[Moved]
    by: str
    regressions: Sequence[Regression]
    items: Mapping[tuple[str, str], Item]
    main: tuple[str, str]
    level: float
    detect: float | None
    unscored: tuple[int, int]
    told: Sequence[str]
    signature: str

    @property
    def baseline(self) -> str:
        """The version that the others are compared with."""
        return next(iter(self.versions))

    @property
    def several(self) -> bool:
        """Whether there are more than two versions."""
        return len(self.versions) > 2

    @property
    def worse(self) -> Sequence[Moved]:
        """What is worse than the baseline, at the level."""
        return [one for one in self.rows if one.verdict == "worse"]

    @property
    def missing(self) -> tuple[int, int]:
        """How many judgments are unscored, and of how many."""
        return self.unscored

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know."""
        return self.told

    @property
    def lines(self) -> Sequence[str]:
        """How conversations were paired, and the signature."""
        said = [
            f"{self.baseline} and {name}: {found.why}" for name, found in self.matchings.items()
        ]
        return [*said, f"signature {self.signature}"]

    def to_json(self) -> dict[str, Any]:
        """Pairing, every row, every segment, and what to read."""
        return {
            "versions": dict(self.versions),
            "baseline": self.baseline,
            "pairing": {
                name: {
                    "by": found.by,
                    "pairs": len(found.units) if found.paired else None,
                    "left_over": [len(one) for one in found.left] if found.paired else None,
                    "said": found.why,
                }
                for name, found in self.matchings.items()
            },
            "level": self.level,
            "rows": [one.to_json() for one in self.rows],
            "by": self.by or None,
            "segments": [one.to_json() for one in self.segments],
            "regressions": [
                {
                    "version": one.version,
                    "item": one.item,
                    "before_item": one.before_item or None,
                    "after": nullable(one.after),
                    "before": nullable(one.before),
                    "change": nullable(one.change),
                }
                for one in self.regressions[:_READ]
            ],
            "unscored": self.unscored[0],
            "n": self.unscored[1],
            "notes": list(self.told),
            "signature": self.signature,
        }

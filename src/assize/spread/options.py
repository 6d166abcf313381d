"""What a spread shows, and how its bands are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError

Source = Literal["raters", "conversations", "answers"]
SOURCES: tuple[Source, ...] = ("raters", "conversations", "answers")
QUANTILES = {"5%": 0.05, "25%": 0.25, "50%": 0.5, "75%": 0.75, "95%": 0.95}


@dataclass(frozen=True, slots=True)
class Resampling:
    """What each replicate draws anew.

    Args:
        sources: raters, conversations, and answers of predicted raters.
        replicates: how many, at least 20.
        confidence: of intervals, and of bands at each point, in (0.5, 1).
        seed: with the question and the options it decides every draw.
    """

    sources: Sequence[Source] = SOURCES
    replicates: int = 200
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        for source in self.sources:
            check_word("sources", source, SOURCES)
        check_range("replicates", self.replicates, 20, 10_000)
        if not 0.5 < self.confidence < 1:
            raise ConfigError(f"confidence {self.confidence}: it lies between 0.5 and 1")

    def without(self, source: Source) -> Resampling:
        """The same with one source as it is; without answers predictions are as expected."""
        return replace(self, sources=[entry for entry in self.sources if entry != source])


@dataclass(frozen=True, slots=True)
class SpreadOptions:
    """What a spread shows.

    Args:
        by: field of the items whose values are groups, such as system; "" for one group.
        first: group that the others are compared with; "" for the first by name.
        where: only conversations with one value of a field, written field:value; "" for all.
        raters: whose answers count: judges, `calibrated`, `people` or `models`; () for the first
            of these groups that answered.
        apart: count each rater's answer separately, instead of one mean per conversation.
        time: field with a conversation's time; "" for none.
        every: period of figures over time: day, week, month, or a number of conversations; "" for
            nothing over time.
        figure: what is followed over time: mean, or a quantile: 5%, 25%, 50%, 75%, 95%.
        questions: only these; () for all.
        resampling: how bands and intervals are made.
    """

    by: str = ""
    first: str = ""
    where: str = ""
    raters: Sequence[str] = ()
    apart: bool = False
    time: str = ""
    every: str = ""
    figure: str = "mean"
    questions: Sequence[str] = ()
    resampling: Resampling = Resampling()

    def __post_init__(self) -> None:
        check_word("figure", self.figure, ("mean", *QUANTILES))

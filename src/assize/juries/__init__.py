"""Juries: who wins, and how sure, decided from judges' votes.

from assize.formats import read_judgments
from assize.juries import Composition, decide

result = decide(read_judgments(["run/"]), Composition(cascade=("da", "maxim")))
print(result.outcome.answers)
"""

from assize.juries.ballots import Ballot, Ballots, gather
from assize.juries.cascade import cascade
from assize.juries.composition import Composition
from assize.juries.decide import decide
from assize.juries.jury_result import JuryResult
from assize.juries.outcome import Outcome, sit
from assize.juries.panel import panel
from assize.juries.reliability import LearntReliabilities, Reliability, fit_reliability
from assize.juries.verdict import Verdict

__all__ = [
    "Ballot",
    "Ballots",
    "Composition",
    "JuryResult",
    "LearntReliabilities",
    "Outcome",
    "Reliability",
    "Verdict",
    "cascade",
    "decide",
    "fit_reliability",
    "gather",
    "panel",
    "sit",
]

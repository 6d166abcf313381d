"""Juries: who wins, and how sure, decided from judges' votes.

from assize.formats import read_judgments
from assize.juries import Cascade, decide

result = decide(read_judgments(["run/"]), Cascade(("da", "maxim")).composition())
print(result.outcome.answers)
"""

from assize.juries.ballots import Ballot, Ballots, gather
from assize.juries.cascade import cascade
from assize.juries.composition import Cascade, Composition, Jury, Panel, Reliability
from assize.juries.decide import decide
from assize.juries.jury_result import JuryResult
from assize.juries.outcome import Outcome, sit
from assize.juries.panel import panel
from assize.juries.reliability import LearntReliabilities, fit_reliability
from assize.juries.verdict import Verdict

__all__ = [
    "Ballot",
    "Ballots",
    "Cascade",
    "Composition",
    "Jury",
    "JuryResult",
    "LearntReliabilities",
    "Outcome",
    "Panel",
    "Reliability",
    "Verdict",
    "cascade",
    "decide",
    "fit_reliability",
    "gather",
    "panel",
    "sit",
]

"""Juries: who wins, and how sure, decided from judges' votes.

from assize.formats import read_judgments
from assize.jury import Composition, hold

sitting = hold(read_judgments(["run/"]), Composition(cascade=("da", "maxim")))
print(sitting.outcome.answers)
"""

from assize.jury.ballots import Ballot, Ballots, ballot, gather
from assize.jury.cascade import cascade
from assize.jury.escalation import Escalate
from assize.jury.outcome import Outcome, sit
from assize.jury.panel import panel
from assize.jury.reliability import Reliability, fit_reliability
from assize.jury.sitting import Composition, Sitting, hold
from assize.jury.verdict import Verdict

__all__ = [
    "Ballot",
    "Ballots",
    "Composition",
    "Escalate",
    "Outcome",
    "Reliability",
    "Sitting",
    "Verdict",
    "ballot",
    "cascade",
    "fit_reliability",
    "gather",
    "hold",
    "panel",
    "sit",
]

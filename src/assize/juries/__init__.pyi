from assize.juries.composition import Cascade as Cascade
from assize.juries.composition import Jury as Jury
from assize.juries.composition import Panel as Panel
from assize.juries.composition import Reliability as Reliability
from assize.juries.decisions import Decisions as Decisions
from assize.juries.decisions import collect_decisions as collect_decisions
from assize.juries.jury_result import JuryResult as JuryResult
from assize.juries.outcome import Outcome as Outcome
from assize.juries.outcome import evaluate as evaluate
from assize.juries.reliability import LearntReliabilities as LearntReliabilities
from assize.juries.reliability import fit_reliability as fit_reliability
from assize.juries.rules import Verdicts as Verdicts

__all__: list[str]

from assize.juries.ballots import Ballot as Ballot
from assize.juries.ballots import Ballots as Ballots
from assize.juries.ballots import gather as gather
from assize.juries.composition import Cascade as Cascade
from assize.juries.composition import Jury as Jury
from assize.juries.composition import Panel as Panel
from assize.juries.composition import Reliability as Reliability
from assize.juries.jury_result import JuryResult as JuryResult
from assize.juries.outcome import Outcome as Outcome
from assize.juries.outcome import sit as sit
from assize.juries.reliability import LearntReliabilities as LearntReliabilities
from assize.juries.reliability import fit_reliability as fit_reliability
from assize.juries.rules import Verdict as Verdict

__all__: list[str]

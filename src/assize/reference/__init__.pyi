from assize.judging.judges.tool_calls import tool_call_metrics as tool_call_metrics
from assize.reference._contrast import contrast as contrast
from assize.reference._contrast import themes as themes
from assize.reference._ensemble.settings import OwnEnsemble as OwnEnsemble
from assize.reference._ensemble.settings import PublishedEnsemble as PublishedEnsemble
from assize.reference._fit import fit as fit
from assize.reference._multiplicity import multiplicity as multiplicity
from assize.reference._score import explain as explain
from assize.reference._score import score as score
from assize.reference._sheets import labels as labels
from assize.reference._sheets import sheet as sheet
from assize.reference._split import split as split
from assize.reference._verification import verification as verification

__all__: list[str]

from assize.scoring.score import Adapt as Adapt
from assize.scoring.score import Scale as Scale
from assize.scoring.score import iter_score as iter_score

__all__: list[str]

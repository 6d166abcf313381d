from assize.scoring.counter import ScoreCounter as ScoreCounter
from assize.scoring.counter import summarise_judgments as summarise_judgments
from assize.scoring.score import Adapt as Adapt
from assize.scoring.score import Scale as Scale
from assize.scoring.score import iter_score as iter_score
from assize.scoring.score import summarise_scores as summarise_scores
from assize.scoring.summary import ScoreSummary as ScoreSummary

__all__: list[str]

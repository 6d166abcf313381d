from assize.pages.page import Section as Section
from assize.pages.page import write_page as write_page
from assize.pages.scores import Listing as Listing
from assize.pages.scores import ScoreReport as ScoreReport
from assize.pages.scores import ScoreSummary as ScoreSummary
from assize.pages.scores import write_report as write_report
from assize.pages.scores.scoring import summarise_scores as summarise_scores

__all__: list[str]

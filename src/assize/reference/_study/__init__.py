"""How well metrics, judges and ensembles agree with people about continuations.

judgments, ratings, continuations ──► data sets ──► figures ──► tables, plots, a page
"""

from assize.reference._study.run import Ensembles

__all__ = ["Ensembles"]

"""Reliability of judges and the better side of each pair, learnt from votes alone.

`fit_votes` learns both; `mixture` is the same likelihood given differences of quality, with
the gradients that an evaluator is trained by.
"""

from assize.stats._reliability.fit import fit_votes
from assize.stats._reliability.likelihood import Mixture, mixture
from assize.stats._reliability.reliabilities import Reliabilities
from assize.stats._reliability.votes import Votes

__all__ = ["Mixture", "Reliabilities", "Votes", "fit_votes", "mixture"]

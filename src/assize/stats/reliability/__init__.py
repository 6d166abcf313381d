"""Reliability of judges and the better side of each pair, learnt from votes alone.

`mixture` is the likelihood of votes given differences of quality, with its gradients.
"""

from assize.stats.reliability.likelihood import Mixture, mixture
from assize.stats.reliability.votes import Votes

__all__ = ["Mixture", "Votes", "mixture"]

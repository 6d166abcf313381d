"""Which few criteria of a large pool separate good from bad conversations, and how sharply.

pool ──► policy ──► chosen criteria ──► threshold, window ──► labels, some left open
          ▲
  weight of sharpness, by cross-validation
"""

from assize.criteria._selection.greedy import Budget, Step, grow
from assize.criteria._selection.objective import Objective, threshold
from assize.criteria._selection.policies import POLICIES, Policy
from assize.criteria._selection.pool import Pool
from assize.criteria._selection.weight import WEIGHTS, Tuned, tuned_weight
from assize.criteria._selection.window import Wanted, Window, window, yield_rate

__all__ = [
    "POLICIES",
    "WEIGHTS",
    "Budget",
    "Objective",
    "Policy",
    "Pool",
    "Step",
    "Tuned",
    "Wanted",
    "Window",
    "grow",
    "threshold",
    "tuned_weight",
    "window",
    "yield_rate",
]

"""Juries: who wins, and how sure, decided from judges' votes.

from assize.formats import read_judgments
from assize.juries import Cascade, decide

result = decide(read_judgments(["run/"]), Cascade("da > maxim"))
print(result.outcome.answers)
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

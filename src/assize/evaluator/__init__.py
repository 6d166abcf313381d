"""A small local judge: a frozen encoder, features of a conversation, and a head.

`score(items)` scores with the shipped evaluator; `learning` makes another one.
"""

from assize.evaluator.artefact import load_evaluator, save
from assize.evaluator.evaluator import Evaluator
from assize.evaluator.learn_from import FromLabel, FromRatings, FromVotes
from assize.evaluator.scoring import score, score_items

__all__ = [
    "Evaluator",
    "FromLabel",
    "FromRatings",
    "FromVotes",
    "load_evaluator",
    "save",
    "score",
    "score_items",
]

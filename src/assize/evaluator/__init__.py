"""A small local judge: a frozen encoder, features of a conversation, one linear head a question.

`score(items)` scores with the shipped evaluator; `training` makes another one.
"""

from assize.evaluator.artefact import Evaluator, Head, load_evaluator, save
from assize.evaluator.scoring import score, score_items

__all__ = ["Evaluator", "Head", "load_evaluator", "save", "score", "score_items"]

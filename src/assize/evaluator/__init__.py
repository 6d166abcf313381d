"""A small local judge: a frozen encoder, features of a conversation, and a head.

    mine = assize.evaluator.train("pairs.jsonl", votes="run/", out="mine/")
    assize.score("chats.jsonl", evaluator=mine)

Takes items with ratings, preferences or several judges' votes; gives a folder that `assize.load`
and `assize.score` open. Source: "Learning an Efficient Multi-Turn Dialogue Evaluator from Multiple
LLM Judges" (MTDEval).
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

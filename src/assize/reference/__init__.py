"""How close a candidate next turn is to what a person said there.

    made = assize.simulate.candidates("chats.jsonl", "openai:gpt-4o-mini")
    scores = assize.reference.score(made.records, metrics=["rouge1-f1", "bertscore-f1"])

Takes continuations with human references; gives judgments by metrics, judges and ensembles of
them. Source: UPHELD (2026).
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

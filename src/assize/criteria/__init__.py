"""Criteria: sentences that tell good conversations from bad ones, learnt from labelled examples.

    pool = assize.criteria.learn("chats.jsonl", label="thumbs:up=1,down=0", model="openai:gpt-4o")
    assize.criteria.score("new-chats.jsonl", "criteria.yaml", model="openai:gpt-4o")

Takes conversations with a label; gives a file of criteria, and judgments by it. Source: Biyani et
al., "RUBICON: Rubric-Based Evaluation of Domain-Specific Human AI Conversations", AIware 2024, and
its baseline SPUR, Lin et al., arXiv 2403.12388.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

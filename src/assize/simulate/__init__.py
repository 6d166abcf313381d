"""Made data: topics, conversations, candidate turns, preference pairs; and what scrubs them.

    topics = assize.simulate.topics("queries.jsonl")
    chats = assize.simulate.dialogues(topics, "openai:gpt-4o")

Takes logs, pages or topics; gives items with the provenance of each, and votes. Sources: MTDEval,
appendices A and D; LLM-Rubric, appendix E (recipes DS1 to DS5).
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

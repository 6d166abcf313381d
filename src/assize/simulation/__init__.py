"""Making data: preference pairs out of conversations or of ratings, and the filters of votes.

What the functions `assize.simulate_...` and `assize.select_preferences` take as values:

    from assize.simulation import Answers, PairChoice
    assize.simulate_preferences(chats, models, answers=Answers(words=30), choice=PairChoice())
"""

from assize.simulation.settings import (
    Answers,
    ConversationFilters,
    Corpus,
    PairChoice,
    Retrieval,
    Scrub,
    Translation,
)

__all__ = [
    "Answers",
    "ConversationFilters",
    "Corpus",
    "PairChoice",
    "Retrieval",
    "Scrub",
    "Translation",
]

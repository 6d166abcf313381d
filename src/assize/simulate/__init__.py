"""Making data: preference pairs out of conversations or of ratings, and the filters of votes.

What the functions `assize.simulate_...` and `assize.simulate.select` take as values:

    from assize.simulate import Answers, PairChoice
    assize.simulate.preferences(chats, models, answers=Answers(words=30), choice=PairChoice())
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

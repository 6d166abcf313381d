"""The web app: people rate and chat, leads watch, and answers come out as judgments.

assize.web.serve("project/")
assize.web.export("project/", "ratings.jsonl")
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

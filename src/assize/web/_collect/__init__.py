"""Conversations of people with hidden systems: topics and systems drawn, answers streamed.

Collecting(store, clock)                   a rater's way through a chat, without HTTP
"""

from assize.web._collect.talking import Collecting

__all__ = ["Collecting"]

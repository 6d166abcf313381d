"""Conversations of people with hidden systems: topics and systems drawn, answers streamed.

collected(connection, "azure-help")        what a task has collected, as records
Collecting(store, clock)                   a rater's way through a chat, without HTTP
"""

from assize.web._collect.collected import collected
from assize.web._collect.talking import Collecting

__all__ = ["Collecting", "collected"]

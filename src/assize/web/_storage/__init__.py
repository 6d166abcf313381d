"""What a project keeps: people, tasks, items, assignments, answers and chats."""

from assize.web._storage.store import Store, open_store

__all__ = ["Store", "open_store"]

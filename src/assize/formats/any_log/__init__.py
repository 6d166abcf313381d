"""Any log: which of its fields is the role, the text, the id, as the caller says it."""

from assize.formats.any_log.asked import Asked, Map, Roles, asked_for, mapping, with_mapping

__all__ = ["Asked", "Map", "Roles", "asked_for", "mapping", "with_mapping"]

"""Any log: which of its fields is the role, the text, the id, as the caller says it."""

from assize.formats.any_log.mapping import NO_MAPPING, FieldMapping, Map, Roles, parse_mapping

__all__ = ["NO_MAPPING", "FieldMapping", "Map", "Roles", "parse_mapping"]

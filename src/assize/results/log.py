"""What functions have to say beside their result: lines that are fit to be shown."""

from __future__ import annotations

import logging

from assize.base.secrets import redacted
from assize.results.escape import printable_line


def make_printable(record: logging.LogRecord) -> bool:
    """Escape a record's text, for names in it come from files, and redact secrets; keep it."""
    record.msg, record.args = printable_line(redacted(record.getMessage())), None
    return True


log = logging.getLogger("assize")
log.addFilter(make_printable)

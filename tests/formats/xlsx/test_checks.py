from __future__ import annotations

import pytest

from assize.base.errors import DataError
from assize.formats.xlsx.checks import WorkbookChecks


def test_a_file_that_is_trusted_may_hold_more_elements() -> None:
    data = b"<a>" + b"<b/>" * 1_000_000 + b"</a>"
    with pytest.raises(DataError, match="more than 1,000,000 XML elements in 1,000 bytes"):
        WorkbookChecks("a.xlsx", 1_000, None).check("xl/a.xml", data)
    WorkbookChecks("a.xlsx", 1_000, 10**9).check("xl/a.xml", data)

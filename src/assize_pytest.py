"""The fixture `assize_gate`: limits on scores, as tests.

    def test_the_bot_is_no_worse(assize_gate):
        assize_gate("smoke.jsonl", overall=0.4, baseline="before.jsonl", max_drop={"overall": 0.05})

pytest finds this module by itself where assize is installed with the extra `pytest`. It stands
outside the package and imports nothing of it before a test asks for the fixture, so that a
project with an `assize.py` or `assize/` of its own runs its tests as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from assize.versions.gate_result import GateResult


class Gate(Protocol):
    """What the fixture gives."""

    def __call__(
        self, version: Any, /, *, fail_under: Mapping[str, float] | None = None, **given: Any
    ) -> GateResult:
        """Passes, or fails the test with the checks that failed.

        Args:
            version: as of `assize.gate`.
            fail_under: least lower ends, where a name is no Python name (`Q0.share>=3`).
            given: other limits (`assize.GateLimits`) and arguments of `assize.gate`; any
                other name is a question, and its value the least lower end of its mean.

        Raises:
            ConfigError: there is no such question.
        """
        ...


@pytest.fixture
def assize_gate() -> Gate:
    """Holds conversations, or judgments, against limits; see `assize.gate`."""
    return _gate


def _gate(
    version: Any, /, *, fail_under: Mapping[str, float] | None = None, **given: Any
) -> GateResult:
    __tracebackhide__ = True
    import inspect

    import assize

    if not hasattr(assize, "gate"):
        where = getattr(assize, "__file__", None) or list(assize.__path__)
        pytest.fail(
            f"assize_gate needs the installed package; `import assize` finds {where}: rename it",
            pytrace=False,
        )
    arguments, under, others = {}, dict(fail_under or {}), {}
    for name, value in given.items():
        if name in inspect.signature(assize.gate).parameters:
            arguments[name] = value
        elif name in inspect.signature(assize.GateLimits).parameters:
            others[name] = value
        else:
            under[name] = value
    found = assize.gate(version, assize.GateLimits(fail_under=under, **others), **arguments)
    if not found.passed:
        from assize.results.escape import printable_line

        alarm = printable_line(str(found.alarm))
        pytest.fail("\n".join([alarm, "", str(found)]), pytrace=False)
    return found

"""How a source is read: what `read` takes, once checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.formats.any_log.mapping import NO_MAPPING, FieldMapping, Map, Roles, parse_mapping
from assize.formats.format import Options
from assize.formats.limits import parse_size
from assize.formats.table import named

OnError = Literal["fail", "skip"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a source is read; see `assize.read`.

    Args:
        format: a name in `FORMATS`; None where it is recognised.
        mapping: where the fields of an unknown log stand, and what its names of roles mean.
        on_error: what a bad record does: `fail` raises, `skip` leaves it out and keeps it aside.
        max_bytes: to how many bytes a packed file may unfold; None for the usual limits.
        values: options of the format, by name.
        questions: that a table of ratings asks, beside those that stand with it.
    """

    format: str | None = None
    mapping: FieldMapping = NO_MAPPING
    on_error: OnError = "fail"
    max_bytes: int | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()

    @property
    def parsing(self) -> Options:
        """What a format is told of a row."""
        mapping = self.mapping
        return Options(self.values, mapping.roles, mapping.columns, mapping.item, self.questions)

    @property
    def for_judgments(self) -> ReadOptions:
        """For files of judgments, which are what they are: of a mapping what columns are counts,
        and an id that stands alone is that of what was rated.

        One of pairs counts too, for their gold is a judgment.
        """
        mapping = self.mapping
        if "a" in mapping.fields:
            return self
        item = mapping.fields["id"] if mapping.fields.keys() == {"id"} else mapping.item
        mapping = FieldMapping(roles=mapping.roles, columns=mapping.columns, item=item)
        return replace(self, mapping=mapping)

    @property
    def settings(self) -> dict[str, Any]:
        """What changes what is read, for the record of a run."""
        return {"format": self.format, **self.mapping.settings}


def read_options(
    format: str | None = None,
    map: Map | None = None,
    roles: Roles | None = None,
    on_error: OnError = "fail",
    max_bytes: int | str | None = None,
    values: Mapping[str, str] | None = None,
) -> ReadOptions:
    """Check what a caller says of a source; the arguments of `assize.read`.

    Raises:
        ConfigError: one of them is not allowed.
    """
    if format is not None:
        named(format)
    if on_error not in get_args(OnError):
        raise ConfigError(f"on_error is {on_error!r}; give fail or skip")
    size = None if max_bytes is None else parse_size(max_bytes)
    return ReadOptions(format, parse_mapping(map, roles), on_error, size, dict(values or {}))

from __future__ import annotations

from assize.formats.any_log.field_list import describe_fields
from assize.formats.rows import Sample

LOG = tuple(
    {
        "bot": {"build": "2.4"},
        "entries": [
            {"by": {"type": kind, "name": "Helper 2"}} for kind in ("helper", "system", "visitor")
        ],
    }
    for n in range(3)
)


def test_what_is_seen_has_types_and_short_examples() -> None:
    told = describe_fields(
        Sample("json", ({"t": "x" * 99, "n": 1.5, "ok": True, "who": {"id": None}},), "f")
    )
    assert told == [f"t (text '{'x' * 19}...')", "n (number 1.5)", "ok (true)", "who.id (empty)"]


def test_a_field_of_few_words_is_shown_with_all_of_them() -> None:
    fields = describe_fields(Sample("json", LOG, "f"))
    assert "entries.*.by.type (text 'helper', 'system', 'visitor')" in fields
    assert "entries.*.by.name (text 'Helper 2')" in fields
    assert "bot.build (text '2.4')" in fields


def test_values_are_words_that_repeat_and_are_few() -> None:
    rows = [{"few": str(n % 6), "many": str(n % 7), "own": str(n), "ref": n} for n in range(14)]
    rows[0]["ref"] = "x"
    few, many, own, ref = describe_fields(Sample("json", tuple(rows), "f"))
    assert few == "few (text '0', '1', '2', '3', '4', '5')"
    assert (many, own, ref) == ("many (text '0')", "own (text '0')", "ref (text 'x')")

"""Bad input: what is said of it, and that nothing passes unseen."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from tests.formats.conftest import TURN, line

from assize.base.errors import ConfigError, DataError
from assize.formats import Reject
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records

BAD_RECORDS = {
    "no turns": (b'{"id": "c", "turns": []}', ":1: turns: .* at least one turn"),
    "an unknown role": (
        line("c", TURN.replace("user", "wizard")).encode(),
        r":1: turns\[0\]\.role: received 'wizard'; allowed are user, assistant, system, tool;"
        " mend the record, or leave bad ones out with --on-error skip",
    ),
    "an unknown shape": (b'{"foo": 1}', r"the fields are: foo \(number 1\).*--format"),
    # A record that comes near to a format says what it lacks.
    "no role": (b'{"messages": [{"content": "hi"}]}', r":1: messages\[0\]\.role: received None"),
    "no messages": (b'{"messages": []}', ":1: messages: received .*; expected a list of messages"),
    "no role of ours": (
        b'{"turns": [{"text": "hi"}]}',
        r":1: turns\[0\]\.role: is missing; allowed are user",
    ),
}


@pytest.mark.parametrize("case", BAD_RECORDS)
def test_a_bad_record_says_where_what_and_why(case: str, tmp_path: Path) -> None:
    data, message = BAD_RECORDS[case]
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(DataError, match=f"/x.*{message}"):
        list(iter_records(tmp_path / "x"))


def test_skipping_keeps_the_good_records_and_hands_over_the_bad(tmp_path: Path) -> None:
    bad = line("b", TURN.replace("user", "wizard"))
    (tmp_path / "x").write_text("\n".join([line("a"), bad, '{"half', line("c")]))
    rejects: list[Reject] = []
    kept = [record.id for record in iter_records(tmp_path / "x", on_reject=rejects.append)]  # type: ignore[union-attr]
    assert kept == ["a", "c"]
    assert [(one.line, one.field) for one in rejects] == [(2, "turns[0].role"), (3, None)]
    assert json.loads(rejects[0].raw) == json.loads(bad)
    assert rejects[1].raw == '{"half'


@pytest.mark.parametrize(
    ("good", "advice"),
    [
        (
            1,
            r"format assize does not fit 3 of 4 records; most often turns\[...\].role: received",
        ),
        (3, "leave bad ones out with --on-error skip"),
    ],
)
def test_records_are_not_to_be_skipped_where_most_are_bad(
    good: int, advice: str, tmp_path: Path
) -> None:
    bad = [line(f"b{n}", TURN.replace("user", "wizard")) for n in range(3)]
    (tmp_path / "x").write_text("\n".join([*bad, *(line(f"g{n}") for n in range(good))]))
    with pytest.raises(DataError, match=f"received 'wizard'.*; .*{advice}") as error:
        list(iter_records(tmp_path / "x"))
    assert ("--on-error skip" in str(error.value)) == (good == 3)


def test_a_format_or_an_option_that_is_not_known_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(line("a"))
    with pytest.raises(ConfigError, match="no format 'x'; known are assize-parquet"):
        list(iter_records(tmp_path / "x", ReadOptions(format="x")))
    with pytest.raises(ConfigError, match=r"no format 'opneai'; did you mean 'openai'\? known"):
        list(iter_records(tmp_path / "x", ReadOptions(format="opneai")))
    with pytest.raises(ConfigError, match="format assize has no option 'na'; it has none"):
        list(iter_records(tmp_path / "x", ReadOptions(values={"na": "zero"})))


@pytest.mark.parametrize("container", ["jsonl", "json", "jsonl.gz", "parquet", "csv"])
def test_memory_does_not_grow_with_the_file(container: str, tmp_path: Path) -> None:
    from assize.base.judgment import Judgment
    from assize.formats import write

    def peak(count: int) -> int:
        path = tmp_path / f"{count}.{container}"
        rows = (
            Judgment(f"i{n}", "j", "q", answer="1", explanation="x" * 500) for n in range(count)
        )
        if container == "json":
            path.write_text("[" + ",".join(line(f"{n}" + "x" * 500) for n in range(count)) + "]")
        tracemalloc.start()
        if container != "json":
            write(path, rows)
        assert sum(1 for _ in iter_records(path)) == count
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(100)
    assert peak(8_000) < 1.5 * peak(2_000) + 300_000

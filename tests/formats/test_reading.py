"""Bad input: what is said of it, and that nothing passes unseen."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any, get_args

import pytest

from assize.conversation import Conversation
from assize.errors import ConfigError, DataError
from assize.formats import FORMATS, Reject, read
from assize.formats.rows import Container, Sample

TURN = '{"role": "user", "text": "hi"}'


def line(id: str, turn: str = TURN) -> str:
    return f'{{"id": "{id}", "turns": [{turn}]}}'


BAD_FILES = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \r\n\n", "the file holds only blanks"),
    "binary": (bytes(range(256)) * 9, "binary file or not UTF-8"),
    "zeros": (b"a\0b,c\n1,2\n", "this is a binary file"),
    "utf-16": (line("a").encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
    "half a line": (b'{"id": "c", "turns": [', ":1: not a whole JSON value"),
    "half a second line": ((line("a") + '\n{"id": "b').encode(), ":2: not a whole JSON value"),
    "an array cut off": (f"[{line('a')}, {line('b')[:9]}".encode(), ":2: not a whole JSON value"),
    "an array not closed": (f"[{line('a')}".encode(), ":2: .*the array is not closed"),
    "text after an array": (f"[{line('a')}] {{}}".encode(), ":2: text after the end of the array"),
    "no turns": (b'{"id": "c", "turns": []}', ":1: turns: .* at least one turn"),
    "an unknown role": (
        line("c", TURN.replace("user", "wizard")).encode(),
        r":1: turns\[0\]\.role: received 'wizard'; allowed are user, assistant, system, tool;"
        " mend the record, or leave bad ones out with --on-error skip",
    ),
    "a NUL in JSON": (line("a\0").encode(), ":1: not a whole JSON value .Invalid control"),
    "bytes that are no text": (
        line("a").encode() + b"\n" + line("b").encode().replace(b"hi", b"\xff\xfe"),
        r":2: byte \d+ of the line is not UTF-8",
    ),
    "surrogates as bytes": (line("é").encode().replace("é".encode(), b"\xed\xa0\x80"), "UTF-8"),
    "deep JSON": (b'{"id": "c", "turns": [' + b"[" * 99_999, ":1: .*nested too deeply"),
    "deep whole JSON": (
        line("c", TURN[:-1] + ', "x": ' + "[" * 200 + "]" * 200 + "}").encode(),
        ":1: .*at most 100 levels",
    ),
    "an unknown shape": (b'{"foo": 1}', r"fields of the first record: 'foo'.*--format"),
    "a number": (b"17", "the file holds no records"),
    "a header twice": (b"role,text,text\nuser,a,b\n", "names 'text' more than once"),
    "too many cells": (b"role,text\nuser,a,b\n", ":2: 3 cells where the header has 2"),
    "an open quote": (b'role,text\nuser,a\nuser,"b\nuser,c\n', ":3: a quoted cell is not closed"),
    "damaged Parquet": (b"PAR1" + b"\1" * 99, "the Parquet file is damaged or cut off"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_says_where_what_and_why(case: str, tmp_path: Path) -> None:
    data, message = BAD_FILES[case]
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(DataError, match=f"/x.*{message}"):
        list(read(tmp_path / "x"))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
def test_byte_order_marks_blank_lines_and_line_ends_do_not_matter(
    start: str, end: str, tmp_path: Path
) -> None:
    text = start + line("a") + end + end + line("b") + end
    (tmp_path / "x").write_bytes(text.encode())
    assert [record.id for record in read(tmp_path / "x")] == ["a", "b"]  # type: ignore[union-attr]


def test_skipping_keeps_the_good_records_and_hands_over_the_bad(tmp_path: Path) -> None:
    bad = line("b", TURN.replace("user", "wizard"))
    (tmp_path / "x").write_text("\n".join([line("a"), bad, '{"half', line("c")]))
    rejects: list[Reject] = []
    kept = [record.id for record in read(tmp_path / "x", on_reject=rejects.append)]  # type: ignore[union-attr]
    assert kept == ["a", "c"]
    assert [(one.line, one.field) for one in rejects] == [(2, "turns[0].role"), (3, None)]
    assert json.loads(rejects[0].raw) == json.loads(bad)
    assert rejects[1].raw == '{"half'


def test_a_turn_of_a_megabyte_is_read_whole(tmp_path: Path) -> None:
    text = "x\\u00e9" * 200_000
    for name, form in (("lines", "{}\n{}"), ("array", "[{}, {}]")):
        big = line("a", TURN.replace("hi", text))
        (tmp_path / name).write_text(form.replace("{}", big, 1).replace("{}", line("b")))
        first, second = read(tmp_path / name)
        assert isinstance(first, Conversation)
        assert first.turns[0].text == "xé" * 200_000
        assert isinstance(second, Conversation)


def test_one_array_a_line_and_one_array_are_both_read(tmp_path: Path) -> None:
    message = '[{"role": "user", "content": "hi"}]'
    (tmp_path / "x").write_text(f"{message}\n{message}\n")
    assert len(list(read(tmp_path / "x"))) == 2
    (tmp_path / "y").write_text(message)
    assert len(list(read(tmp_path / "y"))) == 1


def test_a_format_or_an_option_that_is_not_known_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(line("a"))
    with pytest.raises(ConfigError, match="no format 'nope'; known are assize-parquet"):
        list(read(tmp_path / "x", format="nope"))
    with pytest.raises(ConfigError, match="format assize has no option 'na'; it has none"):
        list(read(tmp_path / "x", options={"na": "zero"}))


def test_every_format_has_a_summary_and_survives_an_odd_sample() -> None:
    assert len(FORMATS) > 9
    odd: list[tuple[Any, ...]] = [
        (),
        (None,),
        (1,),
        ([],),
        ({},),
        ({"messages": 1},),
        ({"conversations": [1]},),
    ]
    odd += [({"conversation": [{}], "conversation_id": None},), ({"chosen": [], "rejected": []},)]
    for name, one in FORMATS.items():
        assert one.name == name
        assert one.summary
        for rows in odd:
            for container in get_args(Container):
                assert isinstance(one.recognise(Sample(container, rows, "x")), bool)


@pytest.mark.parametrize("container", ["jsonl", "json", "jsonl.gz", "parquet", "csv"])
def test_memory_does_not_grow_with_the_file(container: str, tmp_path: Path) -> None:
    from assize.formats import write
    from assize.judgment import Judgment

    def peak(count: int) -> int:
        path = tmp_path / f"{count}.{container}"
        rows = (
            Judgment(f"i{n}", "j", "q", answer="1", explanation="x" * 500) for n in range(count)
        )
        tracemalloc.start()
        if container == "json":
            with path.open("w") as stream:
                stream.write("[" + line("a"))
                for n in range(count):
                    stream.write("," + line(f"{n}" + "x" * 500))
                stream.write("]")
        else:
            write(path, rows)
        assert sum(1 for _ in read(path)) >= count
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(100)
    assert peak(8_000) < 1.5 * peak(2_000) + 300_000

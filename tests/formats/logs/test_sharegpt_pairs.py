"""ShareGPT preference pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.formats.logs.conftest import lines

from assize.conversation import Pair, Turn
from assize.errors import ConfigError, DataError
from assize.formats import read, write
from assize.formats.logs.sharegpt_pairs import recognise
from assize.formats.reading import open_records
from assize.formats.rows import Sample

ROW: dict[str, Any] = {
    "id": "w1",
    "conversations": [{"from": "human", "value": "Hi"}],
    "chosen": {"from": "gpt", "value": "Hello!"},
    "rejected": {"from": "gpt", "value": "Go away."},
}


def pair(path: Path, **row: Any) -> Pair:
    (found,) = read(lines(path / "x.jsonl", ROW | row))
    assert isinstance(found, Pair)
    return found


def test_the_chosen_message_is_a_and_gold(tmp_path: Path) -> None:
    assert pair(tmp_path) == Pair(
        "w1",
        (Turn("user", "Hi"),),
        (Turn("assistant", "Hello!"),),
        (Turn("assistant", "Go away."),),
        gold="A",
    )


def test_it_is_told_from_a_conversation_by_its_two_messages(tmp_path: Path) -> None:
    with open_records(lines(tmp_path / "x.jsonl", ROW)) as opened:
        assert opened.format.name == "sharegpt-pairs"


@pytest.mark.parametrize("side", ["Hello!", [ROW["chosen"]], {"from": "gpt"}, None])
def test_a_side_that_is_no_message_is_none_of_it(side: Any) -> None:
    assert not recognise(Sample("json", (ROW | {"rejected": side},), "x"))


def test_metadata_and_unknown_fields_stay_with_the_pair(tmp_path: Path) -> None:
    found = pair(tmp_path, metadata={"lang": "en"}, margin=2, source="web")
    assert (found.metadata, found.extra) == ({"lang": "en", "source": "web"}, {"margin": 2})


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"conversations": []}, r"conversations: received \[\]; expected a list of messages"),
        ({"rejected": "Go away."}, "rejected: received 'Go away.'; expected an object"),
        ({"chosen": {"from": "gpt", "value": 3}}, r"chosen\[0\]\.value: received 3"),
    ],
)
def test_a_bad_message_is_named_by_its_place(
    row: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    path = lines(tmp_path / "x.jsonl", ROW | row)
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        list(read(path, format="sharegpt-pairs"))


def test_it_is_only_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="format sharegpt-pairs can be read but not written"):
        write(tmp_path / "x", [], format="sharegpt-pairs")

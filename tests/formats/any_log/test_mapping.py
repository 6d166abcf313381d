from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.conftest import write_text

from assize.base.errors import ConfigError
from assize.formats.any_log.mapping import parse_mapping


def test_text_dict_and_file_say_the_same(tmp_path: Path) -> None:
    path = write_text(
        tmp_path / "map.toml",
        'turns = "m"\n[metadata]\nversion = "bot"\n[roles]\nclient = "user"\n',
    )
    text = parse_mapping("turns=m,metadata.version=bot", "client=user")
    assert parse_mapping({"turns": "m", "metadata": {"version": "bot"}}, {"Client": "user"}) == text
    assert parse_mapping(path) == parse_mapping(str(path)) == text
    assert text.settings == {
        "map": {"turns": "m", "metadata.version": "bot"},
        "roles": {"client": "user"},
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("speaker=x", "there is no 'speaker'; there are id, turns"),
        ("text", "give role="),
        ("text=a,text=b", "twice"),
        ("", "give role="),
        ({"text": 5}, "give the path"),
        ("gold:0=C", "A, B or tie"),
        ("absent.toml", "cannot be read"),
    ],
)
def test_a_bad_map_says_what_is_allowed(given: object, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_mapping(given)  # type: ignore[arg-type]


def test_a_role_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="allowed are user, assistant, system, tool, skip"):
        parse_mapping(roles="client=customer")


def test_a_role_may_be_skipped() -> None:
    mapping = parse_mapping("turns=m", {"Event": "skip", "client": "user"})
    assert mapping.skipped == {"event"}
    assert mapping.settings["roles"] == {"client": "user", "event": "skip"}

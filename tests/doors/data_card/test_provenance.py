from __future__ import annotations

from pathlib import Path

import pytest

from assize._doors.data_card.provenance import read_provenance
from assize.base.errors import DataError


def test_a_word_may_be_followed_by_more(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("human: yes, by eight writers\nverified: no\ntask: open-dialogue: chit-chat\n")
    with pytest.raises(DataError, match=r"p\.yaml:3"):
        read_provenance(str(path))  # a colon and a blank need quotes in YAML
    path.write_text("human: yes, by eight writers\nverified: no\n")
    found = read_provenance(str(path))
    assert (found.word("human"), found.word("verified"), found.word("direct")) == (
        "yes",
        "no",
        None,
    )
    assert found.said["human"] == "yes, by eight writers"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nhumna: yes", "p.yaml:1: a: no such field; allowed are name, about, source"),
        ("name: x\nhuman: maybe", "p.yaml:2: human: received 'maybe'; expected yes, no or partly"),
        ("human: yesterday", "received 'yesterday'"),
        ("task: chess", "expected factual-qa, open-dialogue"),
        ("name: [a]", "name: received ['a']; expected text"),
        ("", "the file is empty"),
        ("- a", "expected fields with values"),
    ],
)
def test_what_is_not_allowed_is_said_with_its_line(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(text)
    with pytest.raises(DataError) as caught:
        read_provenance(str(tmp_path / "p.yaml"))
    assert problem in str(caught.value)

"""Pairs are shown, never assumed: by id, by prompt, or none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.versions.two_versions import chat, chats_of, made

from assize.base.conversation import Turn
from assize.base.errors import DataError
from assize.versions.matching import match
from assize.versions.version import Version


def reordered(version: Version, ids: list[str]) -> Version:
    """The same conversations under other ids."""
    names = dict(zip(version.table.items, ids, strict=True))
    rows = [replace(row, item=names[row.item]) for row in version.table]
    table = type(version.table).of(rows, version.table.questions.values())
    items = {names[one]: replace(item, id=names[one]) for one, item in version.items.items()}
    return Version(version.name, table, items)


def test_equal_ids_with_equal_prompts_are_pairs() -> None:
    found = match(made("old", [3] * 8), made("new", [4] * 6))
    assert found.by == "id"
    assert list(found.units) == [f"c{n}" for n in range(6)]
    assert (found.pairs, found.left_over) == (6, [2, 0])
    assert found.why == "6 pairs, paired by id (their prompts agree); left over: 2 of old, 0 of new"


def test_equal_ids_with_other_prompts_are_none() -> None:
    """Ids that count lines are the same in any two files."""
    old, new = made("old", [3] * 8), made("new", [4] * 8)
    other = {
        one: replace(item, turns=(Turn("user", f"Else {one}"),))
        for one, item in chats_of(new).items()
    }
    found = match(old, Version("new", new.table, other))
    assert not found.paired
    assert "8 ids are in both, but 8 of 8 of them begin with different prompts" in found.why


def test_equal_lengths_alone_make_no_pairs() -> None:
    old = made("old", [3] * 8, ids=[f"a{n}" for n in "abcdefgh"], texts=False)
    new = made("new", [4] * 8, ids=[f"b{n}" for n in "abcdefgh"], texts=False)
    found = match(old, new)
    assert not found.paired
    assert found.why == (
        "not paired: no ids in common; the conversations of old and new are not here"
    )


def test_ids_that_count_places_are_not_trusted_without_texts() -> None:
    found = match(made("old", [3] * 8, texts=False), made("new", [4] * 8, texts=False))
    assert not found.paired
    assert "they count places in a file" in found.why
    insisted = match(made("old", [3] * 8, texts=False), made("new", [4] * 8, texts=False), "id")
    assert insisted.by == "id"
    assert "their texts are not here to be compared" in insisted.why


def test_ids_of_another_kind_are_trusted_without_texts() -> None:
    ids = ["a9f", "b07", "7cc", "d1e"]
    found = match(
        made("o", [3] * 4, ids=ids, texts=False), made("n", [4] * 4, ids=ids, texts=False)
    )
    assert found.by == "id"


def test_several_conversations_of_a_prompt_are_one_unit() -> None:
    versions = []
    for name in ("old", "new"):
        chats = [replace(chat(name, n % 4), id=f"{name}-{n}") for n in range(12)]
        plain = made(name, [3] * 12, ids=[one.id for one in chats])
        versions.append(Version(name, plain.table, {one.id: one for one in chats}))
    found = match(versions[0], versions[1])
    assert found.by == "prompt"
    assert len(found.units) == 4
    assert found.units["Question 1?"][0] == ("old-1", "old-5", "old-9")
    assert "several conversations of a prompt are averaged" in found.why


def test_a_greeting_that_many_begin_with_is_no_pair() -> None:
    versions = []
    for name, greeted in (("old", 8), ("new", 7)):
        version = reordered(made(name, [3] * 12), [f"{name}-{n}x" for n in range(12)])
        items = {}
        for at, (one, item) in enumerate(chats_of(version).items()):
            text = ("hi", "hello", "hey")[at % 3] if at < greeted else f"{name} asks {at}"
            items[one] = replace(item, turns=(Turn("user", text), Turn("assistant", "Hello!")))
        versions.append(Version(name, version.table, items))
    found = match(versions[0], versions[1])
    assert not found.paired
    assert "not equally often (greetings, perhaps)" in found.why


@pytest.mark.parametrize("how", ["id", "prompt"])
def test_what_is_insisted_on_must_be_there(how: str) -> None:
    old = made("old", [3] * 4, ids=list("abcd"), texts=False)
    new = made("new", [3] * 4, ids=list("efgh"), texts=False)
    with pytest.raises(DataError, match=f"no pairs by {how}"):
        match(old, new, how)  # type: ignore[arg-type]


def test_none_is_none() -> None:
    found = match(made("old", [3] * 4), made("new", [3] * 4), "none")
    assert (found.paired, found.why) == (False, "not paired, as asked")

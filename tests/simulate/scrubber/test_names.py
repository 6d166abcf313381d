from __future__ import annotations

import pytest

from assize.simulate._scrubber.names import everyday_words, given_names, named


def said(text: str) -> list[str]:
    return [text[one.start : one.end] for one in named(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("my name is anna schmidt and I wait", ["anna schmidt"]),
        ("I met Anna Kowalska in Rome", ["Anna Kowalska"]),
        ("Rose Tyler called", ["Rose Tyler"]),
        ("It was Herr Ludwig van Beethoven.", ["Ludwig van Beethoven"]),
        ("Anna's laptop", ["Anna"]),
        ("Will you help me in May with a rose?", []),
        ("Hello World. This is Windows. I'm Sorry. I am German. Dear Sir", []),
        ("Does Azure Functions work with Cosmos DB and Terraform?", []),
    ],
)
def test_names_and_what_only_looks_like_one(text: str, names: list[str]) -> None:
    assert said(text) == names


def test_the_lists_do_not_contradict_one_another() -> None:
    sure, words = given_names()
    assert len(sure) > 500
    assert not sure & everyday_words()
    assert {"will", "rose", "mark"} <= words

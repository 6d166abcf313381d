from __future__ import annotations

import numpy as np
import pytest

from assize.simulate._scrubber.names import everyday_words, given_names, named

LISTED = ("Anna", "Piotr", "Fatima", "Kenji", "Carlos", "Ingrid", "Rahul", "Chloe")
UNLISTED = (
    "Chidimma",
    "Torvald",
    "Xochitl",
    "Quillan",
    "Anneliese",
    "Bogumila",
    "Tafari",
    "Isolde",
)
SURNAMES = ("Okonkwo", "Bexley", "Nowak", "Vance-Hill", "Aydin", "Castellano", "Mbeki", "Lindqvist")
CUED = (
    "My name is {}.",
    "I spoke with Dr. {} today.",
    "Regards, {}",
    "My wife {} can't log in.",
    "Hi {}, it works now.",
)
BARE = (
    "Yesterday {} called me about the bill.",
    "The ticket was opened by {} on Monday.",
    "{} said it should work.",
    "Please give {} access to the folder.",
)


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


def recall(first: tuple[str, ...], frames: tuple[str, ...]) -> float:
    """Share of planted names of which every part was taken."""
    rng = np.random.default_rng(5)
    hits = []
    for _ in range(200):
        name = f"{first[rng.integers(8)]} {SURNAMES[rng.integers(8)]}"
        text = frames[rng.integers(len(frames))].format(name)
        hits.append(any(name in one for one in said(text)))
    return float(np.mean(hits))


def test_recall_on_planted_names_is_as_the_page_says() -> None:
    """docs/scrub.md gives these shares: names without a cue and outside of the list are missed."""
    assert recall(LISTED, CUED) == 1
    assert recall(LISTED, BARE) == 1
    assert recall(UNLISTED, CUED) >= 0.95
    assert recall(UNLISTED, BARE) <= 0.5


def test_the_lists_do_not_contradict_one_another() -> None:
    sure, words = given_names()
    assert len(sure) > 500
    assert not sure & everyday_words()
    assert {"will", "rose", "mark"} <= words

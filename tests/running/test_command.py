"""Marked settings: what of a run's settings is part of what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from assize.running.command import CHANGES_NUMBERS, ChangesNumbers, marked_settings


@dataclass
class Pace:
    at_once: int = 20
    seed: Annotated[int, CHANGES_NUMBERS] = 3


@dataclass
class Place:
    url: Annotated[str | None, ChangesNumbers("endpoint", str.lower)] = "HTTP://A"
    note: Annotated[str, "a word about it"] = ""


def test_only_marked_settings_count_in_the_order_of_the_records() -> None:
    assert list(marked_settings(Place(), Pace()).items()) == [("endpoint", "http://a"), ("seed", 3)]


def test_what_is_not_set_stands_there_as_it_is() -> None:
    assert marked_settings(Place(url=None)) == {"endpoint": None}

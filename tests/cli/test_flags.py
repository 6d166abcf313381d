"""Flags from a function's parameters, their types and its docstring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from assize import Statistics
from assize.base.errors import ConfigError
from assize.cli.flags import Flag, about, arguments_of, flags_of, read_as
from assize.formats import ItemsLike


@dataclass(frozen=True)
class Pace:
    """How fast.

    Args:
        speed: of the walk.
    """

    speed: Annotated[float, "marked"] = 2.0
    limit: int | None = None


def walk(
    items: ItemsLike,
    *,
    gold: str | None = None,
    names: str | Sequence[str] = (),
    same: Mapping[str, str] | None = None,
    two: tuple[str, str] | None = None,
    kind: Literal["a", "b"] = "a",
    out: str | Path | None = None,
    deep: bool = False,
    level: float = 0.95,
    pace: Pace = Pace(),
) -> None:
    """Walks through `items` to `gold`.

    More of it.

    Args:
        items: paths, or URLs. In Python also records.
        gold: what counts as true; without `kind` none does.
        names, same: several of them,
            on two lines.
        out: written here.

    Raises:
        ConfigError: never: it is an example.
    """


def fit(
    raters: str | Sequence[str] = "all",
    *,
    group: Mapping[str, str | Sequence[str]] | None = None,
    folders: Path | Sequence[str | Path] = (),
) -> None:
    """Fits.

    Args:
        raters: whose answers.
        group: raters who are one.
        folders: more of them.
    """


def flags(function: Callable[..., None] = walk) -> dict[str, Flag]:
    found = flags_of(function, ["items"], {"out": "--out -o"}, {"items": "FILES"}, {})
    return {one.name: one for one in found}


def test_each_parameter_is_read_as_its_type() -> None:
    kinds = {name: one.kind for name, one in flags().items()}
    assert kinds == {
        "items": list[str],
        "gold": str | None,
        "names": list[str] | None,
        "same": list[str] | None,
        "two": tuple[str, str] | None,
        "kind": Literal["a", "b"],
        "out": str | None,
        "deep": bool,
        "level": float,
        "speed": float,
        "limit": int | None,
    }


@pytest.mark.parametrize(
    ("function", "name", "typed", "taken"),
    [
        (walk, "items", ["x"], "x"),
        (walk, "items", ["x", "y"], ["x", "y"]),
        (walk, "names", ["x"], ("x",)),
        (walk, "names", None, ()),
        (walk, "same", ["a=b=c"], {"a=b": "c"}),
        (walk, "same", [], None),
        (walk, "two", ("x", "y"), ("x", "y")),
        (walk, "level", 0.5, 0.5),
        (fit, "raters", ["ann", "bob"], ("ann", "bob")),
        (fit, "raters", [], "all"),
        (fit, "group", ["a=x, y", "b=z", "a=w"], {"a": ["x", "y", "w"], "b": ["z"]}),
        (fit, "group", [], None),
    ],
)
def test_what_is_typed_becomes_what_the_function_takes(
    function: Callable[..., None], name: str, typed: Any, taken: Any
) -> None:
    assert flags(function)[name].back(typed) == taken


@pytest.mark.parametrize(
    ("function", "name", "bad"),
    [
        *((walk, "same", bad) for bad in ("a", "a=", "=b")),
        *((fit, "group", bad) for bad in ("crowd", "crowd=", "crowd=,", "=x")),
    ],
)
def test_a_name_that_is_no_pair_of_names_is_said(
    function: Callable[..., None], name: str, bad: str
) -> None:
    with pytest.raises(ConfigError, match=f"{bad}: write two words with = between"):
        flags(function)[name].back([bad])


def test_flags_are_written_as_asked_and_as_the_parameter_else() -> None:
    found = flags()
    assert found["out"].flags == ["--out", "-o"]
    assert (found["deep"].written, found["items"].written) == ("--deep", "FILES")


def test_the_help_is_the_docstring_with_parameters_as_flags() -> None:
    assert about(walk, list(flags().values())) == "Walks through --items to --gold.\n\nMore of it."
    said = arguments_of(walk)
    assert said["items"] == "Paths, or URLs."
    assert said["gold"] == "What counts as true."
    assert said["names"] == said["same"] == "Several of them, on two lines."
    assert set(said) == {"items", "gold", "names", "same", "out"}
    speed = flags()["speed"]
    assert (speed.shown.help, speed.usual) == ("Of the walk.", 2.0)


OWN = Statistics(permutations=99, seed=0)


def drift(*, statistics: Statistics = OWN) -> None:
    """Tests."""


def test_flags_of_statistics_are_those_that_the_function_uses_with_its_own_values() -> None:
    found = flags_of(drift, (), {}, {}, {})
    assert [(one.name, one.usual) for one in found] == [("permutations", 99), ("seed", 0)]


def way(*, fast: bool = False, legs: int = 2) -> tuple[bool, int]:
    """The way.

    Args:
        fast: run.
    """
    return fast, legs


def go(*, how: tuple[bool, int] | None = None, out: str | None = None) -> None:
    """Goes."""


def test_a_maker_s_parameters_are_flags_in_place_of_what_it_makes() -> None:
    found = flags_of(go, (), {"legs": "--legs -l"}, {}, {}, {"how": way})
    assert [(one.name, one.kind, one.usual) for one in found] == [
        ("fast", bool, False),
        ("legs", int, 2),
        ("out", str | None, None),
    ]
    assert (found[0].shown.help, found[1].flags) == ("Run.", ["--legs", "-l"])


@pytest.mark.parametrize(
    ("hint", "kind"),
    [(str | Path, str), (Path | None, Path), (Sequence[int], list[int]), (bytes, str), (Any, str)],
)
def test_other_types_are_read_by_what_is_nearest(hint: Any, kind: Any) -> None:
    assert read_as(hint)[0] == kind


def test_several_that_may_be_one_text_keep_its_default() -> None:
    found = flags(fit)
    assert (found["raters"].kind, found["raters"].usual) == (list[str], ["all"])
    assert found["folders"].kind == list[str] | None

"""The page of `assize calibrate compare`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.base.judgment import Question
from assize.calibrate._data.forms import Scale
from assize.calibrate._prediction.compare_systems import Compared, compare_sets
from assize.pages import charts
from assize.pages.result_page import write_result

EVIL = "<script>alert(1)</script>\nx"


def compared(names: list[str]) -> Compared:
    """Ten conversations a set, of four answers from 1 to 4, two raters."""
    scale = Scale.of(
        Question("q", kind="ordinal", answers=("1", "2", "3", "4"), values=(1, 2, 3, 4))
    )
    count = 10 * len(names)
    p = np.random.default_rng(0).dirichlet(np.ones(4), size=(count, 2))
    sets = {name: np.arange(10 * place, 10 * place + 10) for place, name in enumerate(names)}
    keys = [str(place) for place in range(count)]
    return compare_sets(p, scale, sets, keys, resamples=20, rng=np.random.default_rng(1))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[charts.Spec]:
    """The charts that a page was made with."""
    seen: list[charts.Spec] = []

    def keep(spec: charts.Spec, caption: str) -> Any:
        seen.append(spec)
        return real(spec, caption)

    from assize.pages import page

    real = page.figure
    monkeypatch.setattr(page, "figure", keep)
    return seen


def test_densities_are_drawn_on_the_scale_of_the_answers(
    tmp_path: Path, drawn: list[charts.Spec]
) -> None:
    """A density of answers from 1 to 4 lies outside the axes of a reliability diagram."""
    found = compared(["a", "b"])
    write_result(tmp_path / "sets.html", found)
    (spec,) = drawn
    points = spec["data"]["values"]
    assert {one["x"] for one in points} == set(found.densities["a"].at.tolist())
    assert (min(one["x"] for one in points), max(one["x"] for one in points)) == (1.0, 4.0)
    assert [one["y"] for one in points if one["name"] == "b"] == found.densities["b"].curve.tolist()
    axes = [spec["encoding"]["x"], *(layer["encoding"]["y"] for layer in spec["layer"])]
    assert not any("domain" in axis["scale"] or "clamp" in axis["scale"] for axis in axes)


def test_more_sets_than_colours_are_drawn_on_several_charts(
    tmp_path: Path, drawn: list[charts.Spec]
) -> None:
    names = [f"s{place}" for place in range(len(charts.SERIES) + 1)]
    write_result(tmp_path / "sets.html", compared(names))
    domains = [spec["encoding"]["color"]["scale"]["domain"] for spec in drawn]
    assert domains == [names[:-1], names[-1:]]


def test_intervals_stand_beside_their_figures_and_names_act_as_text(
    tmp_path: Path, parse_html: Callable[[str], Any]
) -> None:
    found = compared([EVIL, "b"])
    write_result(tmp_path / "sets.html", found)
    text = (tmp_path / "sets.html").read_text()
    mean = found.sets["b"].mean
    assert mean is not None
    low, high = mean.interval
    assert f"{mean.estimate:.2f} [{low:.2f}, {high:.2f}]" in text
    assert not any(tag == "script" for tag, _ in parse_html(text).tags)

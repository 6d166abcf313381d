"""The page of `assize calibrate compare`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.calibration import Scale
from assize.calibration.prediction.compare_systems import Compared, compare_sets
from assize.judgment import Question
from assize.pages import charts
from assize.pages.calibration_sets import gap_rows, set_rows, write_sets

EVIL = "<script>alert(1)</script>\nx"


def compared(names: list[str]) -> Compared:
    """Ten conversations a set, of four answers from 1 to 4, two raters."""
    scale = Scale.of(Question("q", kind="ordinal", answers=("1", "2", "3", "4"),
                              values=(1, 2, 3, 4)))  # fmt: skip
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
    write_sets(tmp_path / "sets.html", found)
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
    write_sets(tmp_path / "sets.html", compared(names))
    domains = [spec["encoding"]["color"]["scale"]["domain"] for spec in drawn]
    assert domains == [names[:-1], names[-1:]]


def test_intervals_stand_below_their_figures_and_names_act_as_text(
    tmp_path: Path, parse_html: Callable[[str], Any]
) -> None:
    found = compared([EVIL, "b"])
    write_sets(tmp_path / "sets.html", found)
    text = (tmp_path / "sets.html").read_text()
    figure, ends = set_rows(found)[1][0][3].split("\n")
    assert f"{figure}<small>{ends}</small>" in text
    assert not any(tag == "script" for tag, _ in parse_html(text).tags)


@pytest.mark.parametrize("kind", ["ordinal", "nominal"])
def test_a_table_of_many_answers_has_a_few_columns(kind: Any) -> None:
    """Of 20 ordered answers the quarters of the scale, of others the most frequent."""
    names = tuple(f"a{n}" for n in range(20))
    values = tuple(float(n) for n in range(20)) if kind == "ordinal" else None
    scale = Scale.of(Question("q", kind=kind, answers=names, values=values))
    p = np.full((10, 2, 20), 0.01)
    p[:, :, 5:13] = [0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.08]
    sets = {"s": np.arange(5), "t": np.arange(5, 10)}
    found = compare_sets(p, scale, sets, [str(n) for n in range(10)], resamples=20,
                         rng=np.random.default_rng(1))  # fmt: skip
    header, ((_, _, _, _, *figures), _) = set_rows(found)
    steps, _ = gap_rows(found)
    if kind == "nominal":
        assert header[4:] == steps[3:] == [f"% a{n}" for n in range(5, 13)]
        assert figures[0].startswith("20.0")
    else:
        assert header[4:] == steps[3:] == ["% <= a4", "% <= a9", "% <= a14"]
        assert [one.partition("\n")[0] for one in figures] == ["5.0", "65.0", "95.0"]

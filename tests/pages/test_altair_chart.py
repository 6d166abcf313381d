"""A Vega-Lite spec as an Altair chart."""

from __future__ import annotations

from typing import Any

import pytest

from assize.pages.altair_chart import altair_chart
from assize.pages.charts import Cuts, class_histograms, means, precision_curves
from assize.results import Mean

altair = pytest.importorskip("altair")


def tables(spec: Any) -> list[Any]:
    """All values in a spec, from outside in."""
    if isinstance(spec, list):
        return [one for part in spec for one in tables(part)]
    if not isinstance(spec, dict):
        return []
    own = [spec["values"]] if isinstance(spec.get("values"), list) else []
    return own + [one for part in spec.values() for one in tables(part)]


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        (means([("a", Mean(0.5, (0.4, 0.6)))], title="r"), "LayerChart"),
        (class_histograms({"good": ([1.0, 2.0], "#000")}, cuts=Cuts(1.5)), "VConcatChart"),
        (precision_curves([0.0, 1.0], {"up": ([0.1, 0.2], [0.1, 0.2])}, cuts=Cuts()), "LayerChart"),
        (
            {
                "data": {"values": [{"x": 1}]},
                "mark": "point",
                "encoding": {"x": {"field": "x", "type": "quantitative"}},
            },
            "Chart",
        ),
    ],
)
def test_a_spec_becomes_a_chart_with_its_data(spec: dict[str, Any], kind: str) -> None:
    found = altair_chart(altair, spec)
    assert type(found).__name__ == kind
    given = found.to_dict()
    there = tables(spec)
    assert there
    assert sorted(map(str, [*tables(given), *given.get("datasets", {}).values()])) == sorted(
        map(str, there)
    )


def test_charts_can_be_put_together_and_texts_are_as_pages_show_them() -> None:
    one = altair_chart(altair, means([("a\x00b", Mean(0.5, (0.4, 0.6)))], title="r"))
    assert len((one | one).to_dict()["hconcat"]) == 2
    assert "a[U+0000]b" in str(one.to_dict())

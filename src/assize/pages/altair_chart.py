"""A Vega-Lite spec, as pages draw them, as an Altair chart that can be changed and saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.pages.drawing import Spec, readable

_PARTS = ("layer", "vconcat", "hconcat")

Data = dict[str, list[Spec]]


def altair_chart(altair: Any, spec: Mapping[str, Any]) -> Any:
    """The chart of a spec with its data inside; texts are as pages show them.

    Altair holds every part of a spec against its schema, each point of the data too, which takes
    seconds; so the data comes in after the chart is made.
    """
    held: Data = {}
    bare = _without_data(readable(spec), held)
    chart = altair.Chart.from_dict(bare)
    _fill(altair, chart, held)
    return chart


def _without_data(spec: Any, held: Data) -> Any:
    """The spec with a name in the place of each table of values, which goes into `held`."""
    if isinstance(spec, list):
        return [_without_data(one, held) for one in spec]
    if not isinstance(spec, dict):
        return spec
    data = spec.get("data")
    if isinstance(data, dict) and "values" in data:
        name = f"data-{len(held)}"
        held[name] = data["values"]
        spec = {**spec, "data": {"name": name}}
    return {key: _without_data(one, held) for key, one in spec.items()}


def _fill(altair: Any, chart: Any, held: Data) -> None:
    """Puts the values back, in a chart and its parts."""
    for name in _PARTS:
        parts = getattr(chart, name, altair.Undefined)
        for part in () if parts is altair.Undefined else parts:
            _fill(altair, part, held)
    data = getattr(chart, "data", altair.Undefined)
    if data is not altair.Undefined:
        chart.data = altair.InlineData(values=held[data.name])

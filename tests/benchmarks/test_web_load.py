import asyncio

from benchmarks.web_load import Settings, run


def test_a_killed_server_loses_and_doubles_no_acknowledged_answer() -> None:
    found = asyncio.run(run(Settings(raters=10, seconds=4, think=0.3, items=200, ramp=False)))
    kept = found["kept"]
    assert found["errors"] == 0
    assert kept["acknowledged"] > 10
    assert (kept["lost"], kept["doubled"], kept["items_with_too_many"]) == (0, 0, 0)

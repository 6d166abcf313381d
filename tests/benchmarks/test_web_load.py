import asyncio

from benchmarks.web_load import Settings, highest_rate, run


def test_a_killed_server_loses_and_doubles_no_acknowledged_answer() -> None:
    found = asyncio.run(run(Settings(raters=10, seconds=3, think=0.3, items=200, ramp=False)))
    kept = found["kept"]
    assert found["errors"] == 0
    assert kept["acknowledged"] > 10
    assert (kept["lost"], kept["doubled"], kept["items_with_too_many"]) == (0, 0, 0)


def test_the_highest_rate_is_that_of_any_good_round() -> None:
    main, ramp = ({"rate": rate, "p95": 90.0, "errors": 0} for rate in (196.0, 160.0))
    slow, wrong = {**main, "rate": 300.0, "p95": 201.0}, {**main, "rate": 310.0, "errors": 1}
    assert highest_rate([main, ramp, slow, wrong]) == 196.0
    assert highest_rate([slow]) == 0.0

"""Prices and budgets."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assize.errors import BudgetError, ConfigError, DataError, ServerError
from assize.judgment import Usage
from assize.models import Booked, Price, Prices, Reply, Request, Scripted, messages
from assize.models.spending import read_prices
from assize.running import Budget

ASK = Request(messages(("user", "x" * 386)), max_tokens=100)  # 96 + 4 + 3 = 103 tokens in


def test_a_dated_name_has_the_price_of_its_model_and_another_model_has_not() -> None:
    prices = Prices({"openai:gpt-4o": Price(2.5, 10.0), "openai:gpt-4o-mini": Price(0.15, 0.6)})
    assert prices.of("openai:gpt-4o-2024-08-06") == Price(2.5, 10.0)
    assert prices.of("openai:gpt-4o-mini-2024-07-18") == Price(0.15, 0.6)
    assert prices.of("openai:gpt-4o-audio") is None
    assert prices.of("hf:folder") == Price(0.0, 0.0)


def test_the_users_file_replaces_shipped_prices(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('"openai:gpt-4o" = { input = 1, output = 2 }\n')
    prices = read_prices(own)
    assert prices.of("openai:gpt-4o") == Price(1.0, 2.0)
    assert prices.of("openai:gpt-4o-mini") is not None


def test_the_users_file_is_found_in_the_configuration_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "assize").mkdir()
    (tmp_path / "assize" / "prices.toml").write_text('"openai:x" = { input = 3, output = 4 }\n')
    assert read_prices().of("openai:x") == Price(3.0, 4.0)


def test_a_bad_price_file_says_what_a_line_looks_like(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('"openai:x" = { input = 3 }\n')
    with pytest.raises(DataError, match=r"output = 10\.0"):
        read_prices(own)
    with pytest.raises(ConfigError, match="no price file"):
        read_prices(tmp_path / "none.toml")


def ask(budget: Budget, *, usage: Usage, times: int = 1) -> list[Reply]:
    async def run() -> list[Reply]:
        model = Booked(Scripted(lambda _: Reply("y", usage=usage)), Price(1000.0, 10000.0), budget)
        return [await model.ask(ASK) for _ in range(times)]

    return asyncio.run(run())


def test_a_reply_says_what_it_cost() -> None:
    (reply,) = ask(Budget(), usage=Usage(1000, 100))
    assert reply.usage.cost_usd == pytest.approx(2.0)  # 1000 in at 0.001, 100 out at 0.01


def test_no_call_is_made_that_could_exceed_the_budget() -> None:
    # One call may cost 103 x 0.001 + 100 x 0.01 = 1.103; it did cost 0.2.
    budget = Budget(1.5)
    assert len(ask(budget, usage=Usage(100, 10), times=2)) == 2
    with pytest.raises(BudgetError, match="--max-cost"):
        ask(budget, usage=Usage(100, 10))
    assert budget.spent == pytest.approx(0.4)


def test_what_earlier_sessions_cost_counts() -> None:
    with pytest.raises(BudgetError):
        ask(Budget(1.5, spent=1.0), usage=Usage(1, 1))


def test_calls_in_flight_are_set_aside() -> None:
    async def run() -> list[object]:
        async def script(_: Request) -> Reply:
            await asyncio.sleep(0.01)
            return Reply("y", usage=Usage(0, 0))

        model = Booked(Scripted(script), Price(1000.0, 10000.0), Budget(2.0))
        both = await asyncio.gather(model.ask(ASK), model.ask(ASK), return_exceptions=True)
        return [*both, await model.ask(ASK)]

    first, second, third = asyncio.run(run())
    assert isinstance(first, Reply)
    assert isinstance(second, BudgetError)
    assert isinstance(third, Reply)


def test_a_failed_call_costs_nothing() -> None:
    budget = Budget(2.0)

    def script(_: Request) -> str:
        raise ServerError("down")

    async def run() -> None:
        model = Booked(Scripted(script), Price(1000.0, 10000.0), budget)
        for _ in range(3):
            with pytest.raises(ServerError):
                await model.ask(ASK)

    asyncio.run(run())
    assert budget.spent == 0


def test_a_limit_without_a_price_is_refused_and_an_unknown_price_is_not_zero() -> None:
    with pytest.raises(ConfigError, match=r"prices\.toml"):
        Booked(Scripted(str), None, Budget(1.0))

    async def run() -> Reply:
        return await Booked(Scripted(lambda _: "y"), None, Budget()).ask(ASK)

    assert asyncio.run(run()).usage.cost_usd is None

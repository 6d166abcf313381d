"""What calls cost: prices from a file the user can edit, booked in the run's budget.

A price that is not known is said to be unknown; it is never zero.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from assize.errors import ConfigError, DataError, ModelError, ModelTimeout
from assize.judgment import Usage
from assize.models.limits import CHARACTERS_PER_TOKEN
from assize.models.model import Around, Model, Reply, Request
from assize.running import Budget

VARIABLE = "ASSIZE_PRICES"
_MILLION = 1e6
_FREE = ("hf:", "hf-reward:", "replay:", "scripted:")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, in and out."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        """US dollars for the tokens of one call.

        >>> Price(2.5, 10.0).of(Usage(1_000_000, 100_000))
        3.5
        """
        return (self.input * usage.input_tokens + self.output * usage.output_tokens) / _MILLION


class Prices:
    """Prices by model; a name matches exactly, else by its longest listed beginning.

    >>> prices = Prices({"openai:gpt-4o": Price(2.5, 10)})
    >>> prices.of("openai:gpt-4o-2024-08-06").input, prices.of("openai:other")
    (2.5, None)
    """

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._table = dict(table)

    def of(self, model: str) -> Price | None:
        """The price of a model, None where it is not known; local models are free."""
        if model.startswith(_FREE):
            return Price(0.0, 0.0)
        if model in self._table:
            return self._table[model]
        dated = [name for name in self._table if _is_version(model, name)]
        return self._table[max(dated, key=len)] if dated else None


def _is_version(model: str, name: str) -> bool:
    """Whether `model` is `name` with a date or `latest` behind it, not another model."""
    rest = model.removeprefix(name)
    return rest != model and rest[:1] in "-@" and (rest[1:2].isdigit() or rest[1:] == "latest")


def read_prices(path: Path | None = None) -> Prices:
    """The shipped prices, with those of the user's TOML over them, in US dollars a million tokens.

    The file is that of `ASSIZE_PRICES`, else `assize/prices.toml` in the user's configuration
    folder.
    """
    shipped = resources.files("assize.models").joinpath("prices.toml").read_text("utf-8")
    table = _table(shipped, "prices.toml")
    chosen = path or (Path(os.environ[VARIABLE]) if VARIABLE in os.environ else None)
    if chosen is not None and not chosen.is_file():
        raise ConfigError(f"there is no price file {chosen}")
    chosen = _own_file() if chosen is None else chosen
    if chosen.is_file():
        table |= _table(chosen.read_text("utf-8"), str(chosen))
    return Prices(table)


def _own_file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "assize" / "prices.toml"


def _table(text: str, source: str) -> dict[str, Price]:
    try:
        rows = tomllib.loads(text)
        return {
            name: Price(float(row["input"]), float(row["output"])) for name, row in rows.items()
        }
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            'expected lines such as "openai:name" = { input = 2.5, output = 10.0 },'
            f" in US dollars a million tokens ({error})",
            source=source,
        ) from error


def checked_price(model: str, price: Price | None, budget: Budget) -> Price | None:
    """The price; raises ConfigError where there is a limit, but no price."""
    if price is None and budget.allowed is not None:
        raise ConfigError(
            f"--max-cost needs the price of {model}, which is not known; add it to"
            f' {_own_file()}: "{model}" = {{ input = 0.0, output = 0.0 }}'
        )
    return price


class Booked(Around):
    """A model whose calls are paid from a budget; each reply says what it cost.

    Raises:
        ConfigError: there is a limit, but no price for the model.
    """

    def __init__(self, model: Model, price: Price | None, budget: Budget) -> None:
        super().__init__(model)
        self._price = checked_price(model.name, price, budget)
        self._budget = budget

    def check(self, request: Request) -> None:
        """Raises BudgetError where the call is too dear even with nothing else in flight."""
        if self._price is not None:
            self._budget.check(most(self._price, request))

    async def ask(self, request: Request) -> Reply:
        """The reply with its price; BudgetError where the budget might not hold.

        A call that failed costs nothing. One that was too slow, or was given up, may have been
        charged: it stays booked at its upper bound.
        """
        if self._price is None:
            return await self._model.ask(request)
        call = self._budget.reserve(most(self._price, request))
        cost: float | None = None
        try:
            reply = await self._model.ask(request)
            cost = self._price.of(reply.usage)
        except ModelError as error:
            cost = None if isinstance(error, ModelTimeout) else 0.0
            raise
        finally:
            self._budget.settle(call, cost)
        return replace(reply, usage=replace(reply.usage, cost_usd=cost))


def most(price: Price, request: Request) -> float:
    """US dollars that a call should not exceed: likely tokens in, the most allowed out."""
    return price.of(Usage(estimated_tokens(request), request.max_tokens))


def estimated_tokens(request: Request) -> int:
    """Tokens that the messages are likely to have: four characters each, and the frame."""
    return int(request.characters / CHARACTERS_PER_TOKEN) + 4 * len(request.messages) + 3

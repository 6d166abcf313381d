"""What calls cost: prices from a file the user can edit, and a budget that is kept.

A price that is not known is said to be unknown; it is never zero.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from assize.errors import BudgetError, ConfigError, DataError
from assize.judgment import Usage
from assize.models.limits import CHARACTERS_PER_TOKEN
from assize.models.model import Gift, Model, Reply, Request

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
    """The shipped prices, with those of the user's file over them.

    Args:
        path: a TOML file of `"openai:name" = { input = 2.5, output = 10.0 }`, in US
            dollars a million tokens; by default the one that `ASSIZE_PRICES` names,
            else `assize/prices.toml` in the user's configuration folder.

    Raises:
        DataError: the file is not such a table.
        ConfigError: the named file does not exist.
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


class Budget:
    """Money that may be spent, with what calls in flight could still cost set aside.

    Args:
        allowed: US dollars; None for no limit.
        spent: what earlier sessions of the same run have cost.
    """

    def __init__(self, allowed: float | None = None, *, spent: float = 0.0) -> None:
        self.allowed = allowed
        self.spent = spent
        self._set_aside = 0.0

    def reserve(self, most: float) -> None:
        """Sets `most` aside; raises BudgetError where it could exceed what is allowed."""
        if self.allowed is not None and self.spent + self._set_aside + most > self.allowed:
            raise BudgetError(
                f"the next call could cost ${most:.4f}, and ${self.spent:.4f} of"
                f" ${self.allowed:.4f} is spent; run again with a larger --max-cost"
            )
        self._set_aside += most

    def settle(self, most: float, cost: float) -> None:
        """Books what a call did cost against what was set aside for it."""
        self._set_aside -= most
        self.spent += cost


def checked_price(model: str, price: Price | None, budget: Budget) -> Price | None:
    """The price; raises ConfigError where there is a limit, but no price."""
    if price is None and budget.allowed is not None:
        raise ConfigError(
            f"--max-cost needs the price of {model}, which is not known; add it to"
            f' {_own_file()}: "{model}" = {{ input = 0.0, output = 0.0 }}'
        )
    return price


class Booked:
    """A model whose calls are paid from a budget; each reply says what it cost.

    Raises:
        ConfigError: there is a limit, but no price for the model.
    """

    def __init__(self, model: Model, price: Price | None, budget: Budget) -> None:
        self._model = model
        self._price = checked_price(model.name, price, budget)
        self._budget = budget

    @property
    def name(self) -> str:
        """As of the model inside."""
        return self._model.name

    @property
    def identity(self) -> str:
        """As of the model inside."""
        return self._model.identity

    @property
    def gives(self) -> frozenset[Gift]:
        """As of the model inside."""
        return self._model.gives

    async def ask(self, request: Request) -> Reply:
        """The reply with its price; BudgetError where the budget might not hold."""
        if self._price is None:
            return await self._model.ask(request)
        most = self._price.of(Usage(estimated_tokens(request), request.max_tokens))
        self._budget.reserve(most)
        cost = 0.0
        try:
            reply = await self._model.ask(request)
            cost = self._price.of(reply.usage)
        finally:
            self._budget.settle(most, cost)
        return replace(reply, usage=replace(reply.usage, cost_usd=cost))

    async def aclose(self) -> None:
        """Closes the model inside."""
        await self._model.aclose()


def estimated_tokens(request: Request) -> int:
    """Tokens that the messages are likely to have: four characters each, and the frame."""
    return int(request.characters / CHARACTERS_PER_TOKEN) + 4 * len(request.messages) + 3

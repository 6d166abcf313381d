"""What calls cost: prices from a file the user can edit, and bounds on tokens.

A price that is not known is said to be unknown; it is never zero.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from unicodedata import normalize

from assize.base.depth import parse_toml
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Usage
from assize.models.model import Reply, Request
from assize.models.providers import is_local

VARIABLE = "ASSIZE_PRICES"
_MILLION = 1e6


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


FREE = Price(0.0, 0.0)


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
        if is_local(model):
            return FREE
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
    chosen = own_price_file() if chosen is None else chosen
    if chosen.is_file():
        table |= _table(chosen.read_text("utf-8"), str(chosen))
    return Prices(table)


def own_price_file() -> Path:
    """The user's price file, in the configuration folder; it need not exist."""
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "assize" / "prices.toml"


def _table(text: str, source: str) -> dict[str, Price]:
    try:
        rows = parse_toml(text)
        return {
            name: Price(float(row["input"]), float(row["output"])) for name, row in rows.items()
        }
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            'expected lines such as "openai:name" = { input = 2.5, output = 10.0 },'
            f" in US dollars a million tokens ({error})",
            source=source,
        ) from error


def cost_of(price: Price, request: Request, reply: Reply) -> float:
    """US dollars of a reply; tokens that its server does not tell are taken for the most."""
    usage = reply.usage
    tokens_in = usage.input_tokens if usage.input_tokens > 0 else most_tokens(request)
    if usage.output_tokens > 0 or reply.finish == "refused":
        tokens_out = usage.output_tokens
    else:
        tokens_out = request.max_tokens
    return price.of(Usage(tokens_in, tokens_out))


def most(price: Price, request: Request) -> float:
    """US dollars that a call does not exceed: the most tokens in, and the most allowed out."""
    if price == FREE:
        return 0.0
    return price.of(Usage(most_tokens(request), request.max_tokens))


BYTES_PER_TOKEN = 4  # of UTF-8, as they are likely: English has 4 to 5, Chinese 3 to 4
_A_MESSAGE = 16  # tokens: its role, and the marks around it
_A_CALL = 1_000  # tokens that a server may add of its own: see `most_tokens`


def most_tokens(request: Request) -> int:
    """Tokens in that a server does not exceed, in whatever script a request is written.

    A token stands for at least one byte of UTF-8, in byte-level BPE and in SentencePiece with
    its byte fallback, so no text has more tokens than bytes. Text outside ASCII is counted in
    the longest form into which tokenizers bring it first: as it is, in NFC, or in NFKC. Added are

    - 16 tokens a message: chat templates have 3 (OpenAI) to 7 around each;
    - one for each byte of the schema's JSON; as a server spells it, it has a third of that;
    - 1,000 a call: the system prompt with which Anthropic's models are told of tools (up to 530:
      https://docs.anthropic.com/en/docs/tool-use-pricing-and-tokens), or a template's own.
    """
    text = sum(_most_bytes(message.text) for message in request.messages)
    schema = 0 if request.schema is None else len(json.dumps(request.schema))
    return text + schema + _A_MESSAGE * len(request.messages) + _A_CALL


def _most_bytes(text: str) -> int:
    """Bytes of UTF-8 in the longest of the forms that tokenizers read.

    >>> _most_bytes("Hi"), _most_bytes("\u4f60\u597d"), _most_bytes("\u0958")
    (2, 6, 6)
    """
    if text.isascii():
        return len(text)
    forms = (text, normalize("NFC", text), normalize("NFKC", text))
    return max(map(_bytes, forms))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def estimated_tokens(request: Request) -> int:
    """Tokens that the messages are likely to have: four bytes each, and the frame."""
    text = sum(_bytes(message.text) for message in request.messages)
    return text // BYTES_PER_TOKEN + 4 * len(request.messages) + 3

"""Prices and budgets."""

from __future__ import annotations

import asyncio
import json
import unicodedata
from pathlib import Path

import pytest
from tests.base.loops import in_loop

from assize.base.errors import (
    BadRequestError,
    BudgetError,
    ConfigError,
    DataError,
    ModelTimeout,
    RateLimitError,
    ServerError,
)
from assize.base.judgment import Usage
from assize.models import (
    Client,
    Limits,
    Price,
    Prices,
    Reply,
    Request,
    Scripted,
    Throttle,
    messages,
)
from assize.models.scripted import Script
from assize.models.spending import cost_of, estimated_tokens, most, most_tokens, read_prices
from assize.running import Budget

ASK = Request(messages(("user", "x" * 84)), max_tokens=100)  # at most 84 + 16 + 1,000 tokens in


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


def booked(script: Script, budget: Budget) -> Client:
    """A client that tries once."""
    throttle = Throttle(Limits(tries=1, patience=0.0))
    return Client(Scripted(script), throttle, price=Price(1000.0, 10000.0), budget=budget)


def ask(budget: Budget, *, usage: Usage, times: int = 1) -> list[Reply]:
    model = booked(lambda _: Reply("y", usage=usage), budget)
    return [asyncio.run(model.ask(ASK)) for _ in range(times)]


def test_a_reply_says_what_it_cost() -> None:
    (reply,) = ask(Budget(), usage=Usage(1000, 100))
    assert reply.usage.cost_usd == pytest.approx(2.0)  # 1000 in at 0.001, 100 out at 0.01


def test_no_call_is_made_that_could_exceed_the_budget() -> None:
    # One call may cost 1,100 x 0.001 + 100 x 0.01 = 2.1; it did cost 0.2.
    budget = Budget(2.4)
    assert len(ask(budget, usage=Usage(100, 10), times=2)) == 2
    with pytest.raises(BudgetError, match="--max-cost"):
        ask(budget, usage=Usage(100, 10))
    assert budget.spent == pytest.approx(0.4)


def test_what_earlier_sessions_cost_counts() -> None:
    with pytest.raises(BudgetError):
        ask(Budget(2.4, spent=1.0), usage=Usage(1, 1))


@pytest.mark.parametrize("allowed", [2.5, 4.0, 8.0])
@in_loop
async def test_money_that_calls_in_flight_hold_ends_no_run_that_could_pay_for_all(
    allowed: float,
) -> None:
    budget, most_at_once, at_once = Budget(allowed), 0, 0

    async def script(_: Request) -> Reply:
        nonlocal most_at_once, at_once
        at_once += 1
        most_at_once = max(most_at_once, at_once)
        await asyncio.sleep(0.001)
        at_once -= 1
        return Reply("y", usage=Usage(10, 1))  # 0.02, and 2.1 are set aside

    model = booked(script, budget)
    await asyncio.gather(*(model.ask(ASK) for _ in range(20)))
    assert most_at_once == int(allowed / 2.1)
    assert budget.spent == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("error", "cost"),
    [
        (BadRequestError("no such parameter"), 0.0),
        (RateLimitError("slow down"), 0.0),
        (ServerError("down", may_cost=False), 0.0),
        (ServerError("the connection broke"), 2.1),
        (ModelTimeout("too slow"), 2.1),
        (TypeError("a defect"), 2.1),
    ],
)
def test_a_failed_call_costs_nothing_unless_the_provider_may_charge_for_it(
    error: Exception, cost: float
) -> None:
    budget = Budget(20.0)

    def script(_: Request) -> str:
        raise error

    model = booked(script, budget)
    for _ in range(3):
        with pytest.raises(type(error)):
            asyncio.run(model.ask(ASK))
    assert budget.spent == pytest.approx(3 * cost)


@pytest.mark.parametrize(
    ("reply", "cost"),
    [
        (Reply("y"), 2.1),  # the server tells nothing
        (Reply("y", usage=Usage(50, 0)), 1.05),
        (Reply("", "length", usage=Usage(50, 0)), 1.05),  # it thought, and was cut off
        (Reply("", "refused", usage=Usage(50, 0)), 0.05),
    ],
)
def test_tokens_that_a_server_does_not_tell_count_as_the_most(reply: Reply, cost: float) -> None:
    assert cost_of(Price(1000.0, 10000.0), ASK, reply) == pytest.approx(cost)


THE_SAME = [  # article 1 of the Universal Declaration, or as much of something else
    "All human beings are born free and equal in dignity and rights.",
    "人人生而自由,在尊严和权利上一律平等。",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है। क़ानून",
    "Все люди рождаются свободными и равными в своём достоинстве и правах.",
    "👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿🤷🏽‍♀️" * 5,
    "﷽" * 10,  # 3 bytes, and 33 in NFKC
    "𝅘𝅥𝅮" * 10,  # 4 bytes, and 12 in NFC
    "\ud800 half a pair",
]


@pytest.mark.parametrize("text", THE_SAME)
def test_no_text_has_more_tokens_than_the_bound_whichever_form_a_tokenizer_reads(text: str) -> None:
    frame = most_tokens(Request(messages(("user", ""))))
    for form in ("NFC", "NFKC"):
        read = unicodedata.normalize(form, text).encode("utf-8", "surrogatepass")
        assert most_tokens(Request(messages(("user", text)))) - frame >= len(read)
    assert most_tokens(Request(messages(("user", text)))) - frame >= len(text)


@pytest.mark.parametrize("text", THE_SAME[:5])
def test_a_tokenizer_that_knows_no_pair_of_bytes_stays_within_the_bound(text: str) -> None:
    import tokenizers

    byte_level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    pieces = byte_level.pre_tokenize_str(unicodedata.normalize("NFC", text))
    tokens = sum(len(piece) for piece, _ in pieces)  # one for each byte
    frame = most_tokens(Request(messages(("user", ""))))
    assert tokens <= most_tokens(Request(messages(("user", text)))) - frame


def test_the_bound_counts_every_message_and_the_schema() -> None:
    said = messages(("system", "abc"), ("user", "你"), ("assistant", "\U0001f600"))
    schema = {"type": "object", "properties": {"好": {"type": "string"}}}
    bare = most_tokens(Request(said))
    assert bare == 3 + 3 + 4 + 3 * 16 + 1_000
    assert most_tokens(Request(said, schema)) == bare + len(json.dumps(schema))


def test_what_a_call_is_likely_to_have_follows_the_script_as_well() -> None:
    english, chinese = (
        Request(messages(("user", "x" * 400))),
        Request(messages(("user", "好" * 400))),
    )
    assert (estimated_tokens(english), estimated_tokens(chinese)) == (107, 307)


def test_free_models_set_nothing_aside() -> None:
    assert most(Price(0.0, 0.0), ASK) == 0


def test_a_limit_without_a_price_is_refused_and_an_unknown_price_is_not_zero() -> None:
    with pytest.raises(ConfigError, match=r"prices\.toml"):
        Client(Scripted(str), budget=Budget(1.0))
    assert asyncio.run(Client(Scripted(lambda _: "y")).ask(ASK)).usage.cost_usd is None

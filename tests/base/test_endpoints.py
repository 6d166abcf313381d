"""Errors, addresses and keys of endpoints; redirects. The providers' tests have the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from chat_server import ChatServer
from local_server import Handler, serving
from tests.base.loops import in_loop

from assize import judge
from assize.base import errors
from assize.base.endpoints import (
    address,
    explain_key,
    key_in,
    of_sdk,
    of_status,
    retry_after,
    safe,
    too_long,
)
from assize.base.errors import AssizeError, ModelError
from assize.encoders import load_encoder
from assize.judging.asking import Asking
from assize.models import Limits, Models, ModelSettings, Request, messages
from assize.models.openai_connection import connect
from assize.models.reward_http import HTTPReward


def test_retry_after_may_be_a_date_or_nonsense() -> None:
    assert retry_after({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}) == 0.0
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_the_numbers_of_a_too_long_message_are_found() -> None:
    error = too_long("maximum context length is 8,192 tokens, however you requested 9312 tokens")
    assert (error.limit, error.needed) == (8192, 9312)


def test_no_key_stays_in_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_OF_A_NEW_PROVIDER", "a-secret-without-the-usual-shape")
    assert key_in("KEY_OF_A_NEW_PROVIDER") == "a-secret-without-the-usual-shape"
    said = safe("no such key: a-secret-without-the-usual-shape, sk-other12345678")
    assert "secret" not in said
    assert "other" not in said


@pytest.mark.parametrize(
    ("status", "said", "code", "kind"),
    [
        (429, "slow down", "", errors.RateLimitError),
        (529, "overloaded", "", errors.RateLimitError),
        (429, "pay first", "insufficient_quota", errors.AuthenticationError),
        (401, "who?", "", errors.AuthenticationError),
        (408, "late", "", errors.ModelTimeout),
        (500, "broken", "", errors.ServerError),
        (413, "big", "", errors.TooLongError),
        (400, "the prompt is too long", "", errors.TooLongError),
        (400, "no such field", "", errors.BadRequestError),
        (404, "no such model", "", errors.NotFoundError),
    ],
)
def test_each_status_has_its_error(status: int, said: str, code: str, kind: type) -> None:
    assert type(of_status(status, said, {}, code)) is kind


@pytest.mark.parametrize(
    ("variable", "key", "source"),
    [
        ("SOME_KEY", "k", "; the key comes from SOME_KEY"),
        ("SOME_KEY", "", "; the key comes from SOME_KEY, which is not set"),
        ("", "", ""),
    ],
)
def test_an_error_of_the_key_says_where_the_key_comes_from(
    variable: str, key: str, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", key)
    with (
        pytest.raises(errors.AuthenticationError, match=f"^my:model: who are you{source}$"),
        explain_key("my:model", variable),
    ):
        raise errors.AuthenticationError("who are you")


@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_an_unknown_error_is_a_server_error(sdk: str) -> None:
    assert isinstance(of_sdk(RuntimeError("x"), sdk), errors.ServerError)


class Breaking(Handler):
    """Reads the request and closes the connection."""

    def do_POST(self) -> None:
        self.body()
        self.close_connection = True


@in_loop
async def failure(name: str, url: str) -> ModelError:
    """How a call to a model at that address fails."""
    settings = ModelSettings(base_url=url, use_cache=False, limits=Limits(tries=1))
    async with Models(settings) as models:
        with pytest.raises(ModelError) as caught:
            await models.open(name).ask(Request(messages(("user", "Hi"))))
    return caught.value


@pytest.mark.parametrize("name", ["openai:tiny", "anthropic:tiny", "http"])
def test_a_call_may_cost_something_once_it_was_sent(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name.startswith("anthropic"):
        pytest.importorskip("anthropic", reason="the extra `anthropic` is not installed")
    with serving(Breaking) as url:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        named = url if name == "http" else name
        broken = failure(named, url)
    assert isinstance(broken, errors.ServerError)
    assert broken.may_cost
    refused = failure(named, url)  # nobody listens any more
    assert isinstance(refused, errors.ServerError)
    assert not refused.may_cost


@pytest.mark.parametrize(("status", "may_cost"), [(500, False), (502, True), (504, True)])
def test_a_gateway_does_not_know_whether_a_call_was_charged(status: int, may_cost: bool) -> None:
    assert of_status(status, "", {}).may_cost is may_cost


def test_addresses_keep_ports_and_ipv6_and_lose_passwords() -> None:
    assert address("http://[::1]:8000/v1/") == "http://[::1]:8000/v1"
    assert address("http://me:pass@127.0.0.1:9/v1?token=t") == "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:99999/v1", "http://me:secret@h:99999/v1", "http://[::1/v1", "h:8000/v1", ""],
)
def test_what_is_no_address_is_refused_before_any_call(
    url: str,
) -> None:
    opening: list[Callable[[], object]] = [
        lambda: address(url),
        lambda: connect(url or "x", timeout=1),
        lambda: HTTPReward(url, timeout=1),
        lambda: load_encoder("openai:m", base_url=url or "x"),
    ]
    for opens in opening:
        with pytest.raises(errors.ConfigError, match="the endpoint's address") as caught:
            opens()
        assert "secret" not in str(caught.value)


class Redirecting(Handler):
    """Sends every request on to another host, with its body."""

    target = ""

    def do_POST(self) -> None:
        self.body()
        self.send(b"", 308, {"location": self.target + self.path.removeprefix("/v1")})


@pytest.fixture
def redirecting() -> Iterator[tuple[str, ChatServer]]:
    """The address of a server that redirects, and the server that nothing may reach."""
    with (
        ChatServer() as other,
        serving(type("To", (Redirecting,), {"target": other.url})) as url,
    ):
        yield f"{url}/v1", other


def test_a_redirect_takes_no_conversation_to_another_host(
    redirecting: tuple[str, ChatServer],
) -> None:
    url, other = redirecting
    item = {
        "messages": [
            {"role": "user", "content": "a secret"},
            {"role": "assistant", "content": "kept"},
        ]
    }
    table = judge([item], "rating@openai:tiny", quiet=True, asking=Asking(base_url=url))
    assert {row.unscored.reason for row in table if row.unscored} == {"bad_request"}
    assert all("redirects" in row.unscored.message for row in table if row.unscored)
    assert other.seen == []


def test_a_redirect_takes_no_text_to_be_embedded_to_another_host(
    redirecting: tuple[str, ChatServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, other = redirecting
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with pytest.raises(AssizeError, match="redirect"):
        load_encoder("openai:tiny").encode(["a secret"])
    assert other.seen == []

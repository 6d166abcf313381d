"""Every provider of language models, one row each.

To add one: copy `reward_http.py` (a service) or `scripted.py` (a function in this process), add its
row, mirror its test.
"""

from __future__ import annotations

from dataclasses import dataclass

from assize.base.endpoints import ANTHROPIC_KEY, OPENAI_KEY, REWARD_KEY


@dataclass(frozen=True, slots=True)
class Provider:
    """One row of `PROVIDERS`.

    Args:
        opener: `module:function`, imported when first used; the function takes the model's name
            and the `Models`, and returns the model without loading or asking anything.
        key: environment variable of its key; empty for none.
        address: what its address comes from, for messages; empty where it has none.
        local: whether it answers in this process or from a file, and so for nothing; it may take
            long to open, so a dry run does not, and counts no stored answers.
        stored: whether the cache stores its answers.
        batches: whether its model is a `BatchModel`.
        logprobs: whether a dry run that cannot open it counts with log-probabilities.
    """

    opener: str = ""
    key: str = ""
    address: str = ""
    local: bool = False
    stored: bool = True
    batches: bool = False
    logprobs: bool = False


_REWARD = "what stands behind @"
PROVIDERS: dict[str, Provider] = {
    "anthropic": Provider(
        "assize.models.anthropic:open_anthropic",
        key=ANTHROPIC_KEY,
        address="ANTHROPIC_BASE_URL",
        batches=True,
    ),
    "hf": Provider("assize.models.hf:open_hf", local=True, logprobs=True),
    "hf-reward": Provider("assize.models.hf:open_hf_reward", local=True),
    "hf-scores": Provider("assize.models.hf:open_hf_scores", local=True),
    "http": Provider("assize.models.reward_http:open_http", key=REWARD_KEY, address=_REWARD),
    "https": Provider("assize.models.reward_http:open_https", key=REWARD_KEY, address=_REWARD),
    "openai": Provider(
        "assize.models.openai:open_openai",
        key=OPENAI_KEY,
        address="--base-url or OPENAI_BASE_URL; it mostly ends in /v1",
        batches=True,
        logprobs=True,
    ),
    "replay": Provider("assize.models.replay:open_replay", local=True, stored=False),
    "scripted": Provider("assize.models.scripted:open_scripted", local=True, stored=False),
}


def provider_of(model: str) -> Provider:
    """Return the row of `provider:name`; of a provider from elsewhere, that of a service.

    >>> provider_of("openai:gpt-4o").key, provider_of("other:m").local
    ('OPENAI_API_KEY', False)
    """
    return PROVIDERS.get(model.partition(":")[0], Provider())


def is_local(model: str) -> bool:
    """Whether a model answers in this process, or from a file, and so for nothing."""
    return provider_of(model).local

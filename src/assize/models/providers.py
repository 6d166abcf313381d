"""How each provider's models are opened; imported when the first model is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assize.endpoints import address
from assize.models.model import Model

if TYPE_CHECKING:
    from assize.models.opening import Models


def open_openai(name: str, models: Models) -> Model:
    """A model behind an OpenAI-compatible endpoint."""
    from assize.models.openai import OpenAIModel, connect

    url, timeout = models.settings.base_url, models.settings.timeout
    client = models.shared(("openai", url), lambda: connect(url, timeout=timeout))
    whole = f"openai:{name} {address(str(client.base_url))}"
    return OpenAIModel(
        name, client, known=models.learnt(whole), learn=lambda fact: models.learn(whole, fact)
    )


def open_anthropic(name: str, models: Models) -> Model:
    """A model behind Anthropic's endpoint, or the one that ANTHROPIC_BASE_URL names."""
    from assize.models.anthropic import AnthropicModel, connect

    timeout = models.settings.timeout
    client = models.shared("anthropic", lambda: connect(timeout=timeout))
    return AnthropicModel(name, client)


def open_hf(name: str, models: Models) -> Model:
    """A Hugging Face model in this process."""
    from assize.models.hf import HFModel

    return HFModel(name)


def open_replay(name: str, models: Models) -> Model:
    """Recorded answers."""
    from assize.models.replay import Replay

    return Replay(Path(name))


def open_scripted(name: str, models: Models) -> Model:
    """A function."""
    from assize.models.scripted import open_scripted as opened

    return opened(name)

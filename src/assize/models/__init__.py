"""Language models: one protocol, one file a provider, and one client through which all are asked.

    async with Models(ModelSettings(base_url="http://127.0.0.1:8000/v1")) as models:
        reply = await models.open("openai:tiny").ask(Request(messages(("user", "Hello"))))

To add a provider, copy the smallest file beside this one (`scripted.py`), add its row to
`PROVIDERS`, and mirror its test. Installed packages add theirs by entry points of the group
`assize.models`, each a function `(name, models) -> model`.
"""

from assize.models.cache import Cache
from assize.models.client import Client
from assize.models.distribution import Distribution, ask_distribution
from assize.models.limits import Limits, Throttle
from assize.models.model import CallId, Message, Model, Reply, Request, Token, messages
from assize.models.opening import PROVIDERS, Models, ModelSettings, known_providers
from assize.models.scripted import Scripted
from assize.models.spending import Price, Prices

__all__ = [
    "PROVIDERS",
    "Cache",
    "CallId",
    "Client",
    "Distribution",
    "Limits",
    "Message",
    "Model",
    "ModelSettings",
    "Models",
    "Price",
    "Prices",
    "Reply",
    "Request",
    "Scripted",
    "Throttle",
    "Token",
    "ask_distribution",
    "known_providers",
    "messages",
]

"""Language models: one protocol, one file a provider, and what stands around every model.

    async with Models(ModelSettings(base_url="http://127.0.0.1:8000/v1")) as models:
        reply = await models.open("openai:tiny").ask(Request(messages(("user", "Hello"))))

To add a provider, copy the smallest file beside this one (`scripted.py`), add its row to
`PROVIDERS`, and mirror its test. Installed packages add theirs by entry points of the group
`assize.models`, each a function `(name, models) -> model`.
"""

from assize.models.cache import Cache
from assize.models.cached import Cached, Stored
from assize.models.distribution import Distribution, ask_distribution
from assize.models.limits import Limited, Limits
from assize.models.model import Message, Model, Place, Reply, Request, Token, messages
from assize.models.opening import PROVIDERS, Models, ModelSettings, known_providers
from assize.models.scripted import Scripted
from assize.models.spending import Booked, Price, Prices

__all__ = [
    "PROVIDERS",
    "Booked",
    "Cache",
    "Cached",
    "Distribution",
    "Limited",
    "Limits",
    "Message",
    "Model",
    "ModelSettings",
    "Models",
    "Place",
    "Price",
    "Prices",
    "Reply",
    "Request",
    "Scripted",
    "Stored",
    "Token",
    "ask_distribution",
    "known_providers",
    "messages",
]

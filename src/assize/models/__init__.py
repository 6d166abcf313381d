"""Language models: one protocol, one file a provider, and one client through which all are asked.

    async with Models(ModelSettings(base_url="http://127.0.0.1:8000/v1")) as models:
        reply = await models.open("openai:tiny").ask(Request(messages(("user", "Hello"))))

To add a provider, see `providers.py`. Installed packages add theirs by entry points of the group
`assize.models`, each a function `(name, models) -> model`.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

"""assize: judge multi-turn conversations, and know how far to trust the judgment.

What is promised is listed in the stub beside this file, and imported when it is first used, so
that `import assize` stays fast.
"""

from assize.base.lazy import promised_names
from assize.base.version import __version__ as __version__

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

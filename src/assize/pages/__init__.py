"""From judgments to one self-contained HTML page.

`ScoreReport` gathers items one at a time and writes the page for scores and preferences;
`write_report` does so for a table at hand. `charts` holds the figures and `page` the
pieces, from which other reports are built.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

"""Work that survives: records appended to a folder, resumed after a kill, paid for once.

    tasks ──► work ──► records ──► appended and synced ──► told
      ▲                               │
      └────── those already done ◄────┘

A `Journal` is the folder of any records that have a key and a `Codec`; a `Run` is one session
of work into it; a `Budget` books what calls cost in the same folder. Judging is one client; to
add another, write its codec and the function that makes its records.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

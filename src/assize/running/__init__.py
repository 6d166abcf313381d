"""Work that survives: records appended to a folder, resumed after a kill, paid for once.

    tasks ──► work ──► records ──► appended and synced ──► told
      ▲                               │
      └────── those already done ◄────┘

A `Journal` is the folder of any records that have a key and a `Codec`; a `Run` is one session
of work into it; a `Budget` books what calls cost in the same folder. Judging is one client; to
add another, write its codec and the function that makes its records.
"""

from assize.running.budget import Budget, Ledger
from assize.running.control import AwaitingBatch, Interrupted, Postponed, stoppable
from assize.running.executor import Executor, Local, all_of
from assize.running.journal import Codec, Journal, key_of, keys_in
from assize.running.run import Run
from assize.running.sync import run_sync

__all__ = [
    "AwaitingBatch",
    "Budget",
    "Codec",
    "Executor",
    "Interrupted",
    "Journal",
    "Ledger",
    "Local",
    "Postponed",
    "Run",
    "all_of",
    "key_of",
    "keys_in",
    "run_sync",
    "stoppable",
]

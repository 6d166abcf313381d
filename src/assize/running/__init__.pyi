from assize.running.budget import Budget as Budget
from assize.running.budget import Ledger as Ledger
from assize.running.control import AwaitingBatch as AwaitingBatch
from assize.running.control import Interrupted as Interrupted
from assize.running.control import Postponed as Postponed
from assize.running.control import stoppable as stoppable
from assize.running.executor import all_of as all_of
from assize.running.journal import Codec as Codec
from assize.running.journal import Journal as Journal
from assize.running.journal import key_of as key_of
from assize.running.journal import keys_in as keys_in
from assize.running.run import Run as Run
from assize.running.sync import run_sync as run_sync

__all__: list[str]

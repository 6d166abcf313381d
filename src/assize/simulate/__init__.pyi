from assize.reference._continuations.cut import HeldTurns as HeldTurns
from assize.simulate._candidates import candidates as candidates
from assize.simulate._dialogues import dialogues as dialogues
from assize.simulate._preferences import preferences as preferences
from assize.simulate._rated import pairs as pairs
from assize.simulate._retrieve import retrieve as retrieve
from assize.simulate._scrubbing import scrub as scrub
from assize.simulate._scrubbing import unscrub as unscrub
from assize.simulate._select import select as select
from assize.simulate._settings import Answers as Answers
from assize.simulate._settings import ConversationFilters as ConversationFilters
from assize.simulate._settings import Corpus as Corpus
from assize.simulate._settings import PairChoice as PairChoice
from assize.simulate._settings import Retrieval as Retrieval
from assize.simulate._settings import Scrub as Scrub
from assize.simulate._settings import Translation as Translation
from assize.simulate._topics import topics as topics

__all__: list[str]

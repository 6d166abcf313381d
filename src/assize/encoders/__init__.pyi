from assize.encoders.cached import CachedEncoder as CachedEncoder
from assize.encoders.cached import remembering as remembering
from assize.encoders.cached import uncached as uncached
from assize.encoders.encoder import Attention as Attention
from assize.encoders.encoder import Encoder as Encoder
from assize.encoders.encoder import Encoding as Encoding
from assize.encoders.encoder import Pooling as Pooling
from assize.encoders.encoder import Precision as Precision
from assize.encoders.encoder import Template as Template
from assize.encoders.encoder import TokenStates as TokenStates
from assize.encoders.opening import ENCODERS as ENCODERS
from assize.encoders.opening import EncoderKind as EncoderKind
from assize.encoders.opening import encoder_facts as encoder_facts
from assize.encoders.opening import load_encoder as load_encoder
from assize.encoders.opening import reopen_encoder as reopen_encoder
from assize.encoders.opening import reopen_stored as reopen_stored
from assize.encoders.opening import said_encoder as said_encoder
from assize.encoders.opening import windows_of as windows_of
from assize.encoders.unknown_tokens import UNREADABLE as UNREADABLE
from assize.encoders.unknown_tokens import find_unreadable as find_unreadable

__all__: list[str]

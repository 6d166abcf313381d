from assize.models.cache import Cache as Cache
from assize.models.cached_files import cache_info as cache_info
from assize.models.cached_files import clear_cache as clear_cache
from assize.models.client import Client as Client
from assize.models.distribution import Distribution as Distribution
from assize.models.limits import Limits as Limits
from assize.models.limits import Throttle as Throttle
from assize.models.model import CallId as CallId
from assize.models.model import Message as Message
from assize.models.model import Model as Model
from assize.models.model import Reply as Reply
from assize.models.model import Request as Request
from assize.models.model import Token as Token
from assize.models.model import messages as messages
from assize.models.opening import Models as Models
from assize.models.opening import ModelSettings as ModelSettings
from assize.models.opening import known_providers as known_providers
from assize.models.providers import PROVIDERS as PROVIDERS
from assize.models.scripted import Scripted as Scripted
from assize.models.spending import Price as Price
from assize.models.spending import Prices as Prices

__all__: list[str]

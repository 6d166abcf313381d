from assize.spread.measure import measure_spread as measure_spread
from assize.spread.measure import spread as spread
from assize.spread.options import Resampling as Resampling
from assize.spread.options import SpreadOptions as SpreadOptions
from assize.spread.ratings import Ratings as Ratings
from assize.spread.ratings import gather_ratings as gather_ratings
from assize.spread.regions import Region as Region
from assize.spread.regions import list_region as list_region
from assize.spread.result import Spread as Spread

__all__: list[str]

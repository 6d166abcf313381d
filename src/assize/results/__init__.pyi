from assize.results.columns import Cell as Cell
from assize.results.columns import Column as Column
from assize.results.columns import Mean as Mean
from assize.results.columns import Ranked as Ranked
from assize.results.columns import Scaled as Scaled
from assize.results.encoding import to_json as to_json
from assize.results.fields import Table as Table
from assize.results.result import Records as Records
from assize.results.result import Result as Result
from assize.results.table import ResultTable as ResultTable
from assize.results.types import TEXT as TEXT
from assize.results.types import Estimate as Estimate
from assize.results.types import Hidden as Hidden
from assize.results.types import Percent as Percent
from assize.results.types import PercentOnly as PercentOnly
from assize.results.types import PValue as PValue
from assize.results.types import Share as Share
from assize.results.types import Test as Test
from assize.results.types import derive as derive

__all__: list[str]

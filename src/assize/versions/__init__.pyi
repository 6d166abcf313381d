from assize.versions.options import OverTime as OverTime
from assize.versions.options import Regressions as Regressions

__all__: list[str]

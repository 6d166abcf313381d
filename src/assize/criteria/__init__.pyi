from assize.criteria._distill import distill as distill
from assize.criteria._learn import learn as learn
from assize.criteria._learning.settings import Rubicon as Rubicon
from assize.criteria._learning.settings import Spur as Spur
from assize.criteria._score import score as score
from assize.criteria._select import select as select
from assize.criteria._selecting import CriteriaChoice as CriteriaChoice

__all__: list[str]

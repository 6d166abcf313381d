from assize.judging.plan import Plan as Plan
from assize.judging.verbs import list_judges as list_judges

__all__: list[str]

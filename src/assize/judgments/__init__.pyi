from assize.judgments.table import JudgmentTable as JudgmentTable
from assize.judgments.table import Unit as Unit

__all__: list[str]

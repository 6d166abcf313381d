from assize.web._exchange import export as export
from assize.web._serve import serve as serve

__all__: list[str]

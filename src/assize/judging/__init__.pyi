from assize.judging.verbs import list_judges as list_judges

__all__: list[str]

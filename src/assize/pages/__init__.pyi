from assize.pages.page import Section as Section
from assize.pages.page import write_page as write_page

__all__: list[str]

from assize.retrieval.index import Hit as Hit
from assize.retrieval.index import Index as Index
from assize.retrieval.pages import Page as Page
from assize.retrieval.pages import read_pages as read_pages
from assize.retrieval.passages import Cutting as Cutting
from assize.retrieval.stored import build_index as build_index
from assize.retrieval.stored import open_index as open_index

__all__: list[str]

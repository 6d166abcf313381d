"""Learned mixtures of metrics: what people would say of a continuation, from what metrics say.

Fitted on judgments, kept in a folder without pickle, used as the judge `ensemble@FOLDER`.
"""

from assize.reference._ensemble.settings import OwnEnsemble, PublishedEnsemble

__all__ = ["OwnEnsemble", "PublishedEnsemble"]

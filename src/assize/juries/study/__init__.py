"""Juries compared: cascades and panels, by several models, on several data sets.

from assize.juries.study import DataSet, study_juries

found = study_juries([DataSet("chats", table, pairs)], cascades=["da > maxim", "maxim > da"])
print(found)
"""

from assize.juries.study.grid import Grid, StudySettings
from assize.juries.study.methods import Method
from assize.juries.study.paired import JuryPair, compare_juries
from assize.juries.study.sitting import DataSet, Place, Sitting
from assize.juries.study.studied import JuryStudy, study_juries

__all__ = [
    "DataSet",
    "Grid",
    "JuryPair",
    "JuryStudy",
    "Method",
    "Place",
    "Sitting",
    "StudySettings",
    "compare_juries",
    "study_juries",
]

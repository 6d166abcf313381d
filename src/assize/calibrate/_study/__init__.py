"""Studies of a calibrator: baselines, ablations, oracles, and what each question is worth.

data = data_of(forms, folds=5, seeds=3)
found = study(data, Options(methods=("baselines", "network")))
found.parts[0].figures["network"]["rmse"].estimate
"""

from assize.calibrate._study.data import Data, data_of
from assize.calibrate._study.methods import GROUPS, METHODS
from assize.calibrate._study.nested_search import QUICK
from assize.calibrate._study.result import Study
from assize.calibrate._study.run import Options, StudyTables, study

__all__ = [
    "GROUPS",
    "METHODS",
    "QUICK",
    "Data",
    "Options",
    "Study",
    "StudyTables",
    "data_of",
    "study",
]

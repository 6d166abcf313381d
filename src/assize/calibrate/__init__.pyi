from assize.calibrate._active.routing import Routing as Routing
from assize.calibrate._active.routing import load_routing as load_routing
from assize.calibrate._adapt import adapt as adapt
from assize.calibrate._audit import audit as audit
from assize.calibrate._compare import compare as compare
from assize.calibrate._correct import correct as correct
from assize.calibrate._data.build_forms import forms_of as forms_of
from assize.calibrate._data.features import features_of as features_of
from assize.calibrate._data.inputs import Beside as Beside
from assize.calibrate._data.inputs import RaterRoles as RaterRoles
from assize.calibrate._distill import distill as distill
from assize.calibrate._fit import fit as fit
from assize.calibrate._fit_options import Default as Default
from assize.calibrate._fit_options import Private as Private
from assize.calibrate._fit_options import Published as Published
from assize.calibrate._fitted import FittedCalibrator as FittedCalibrator
from assize.calibrate._fitted import load_calibrator as load_calibrator
from assize.calibrate._hierarchical.fit import fit_default as fit_default
from assize.calibrate._importance import importance as importance
from assize.calibrate._next_ratings import next_ratings as next_ratings
from assize.calibrate._predict import predict as predict
from assize.calibrate._prediction.cross_fitted_errors import (
    cross_fitted_errors as cross_fitted_errors,
)
from assize.calibrate._prediction.reward import trl_reward as trl_reward
from assize.calibrate._select import select as select
from assize.calibrate._template import template as template

__all__: list[str]

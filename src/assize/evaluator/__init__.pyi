from assize.evaluator._adapt import adapt as adapt
from assize.evaluator._artefact import load_evaluator as load_evaluator
from assize.evaluator._card import card as card
from assize.evaluator._evaluate import evaluate as evaluate
from assize.evaluator._evaluator import Evaluator as Evaluator
from assize.evaluator._export import export as export
from assize.evaluator._hub_export.reward import reward_function as reward_function
from assize.evaluator._learn_from import FromLabel as FromLabel
from assize.evaluator._learn_from import FromRatings as FromRatings
from assize.evaluator._learn_from import FromVotes as FromVotes
from assize.evaluator._train import train as train

__all__: list[str]

"""What may be chosen when an ensemble is fitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError
from assize.reference._ensemble.models.learners import PAPER, learner_of
from assize.reference._ensemble.sample import Missing

AUTO = "auto"
OWN = ("blend", "ridge", "svm", "extra-trees")
"""What the cross-validated table shows for one corpus; `robust` stands for several."""

Tick = Callable[[], None]


@dataclass(frozen=True, slots=True)
class OwnEnsemble:
    """An ensemble of all metrics, tuned; what `--preset own` fits.

    Args:
        model: model to fit, one of those that `compare` lists. Default: auto. Of preset paper
            linear, svm, forest (by default) or tree.
        compare: also cross-validate the other models.
    """

    word: ClassVar = "own"

    model: str = AUTO
    compare: bool = False

    def settings(self, **more: Any) -> Settings:
        """How it is fitted; `more` are fields of `Settings`."""
        return Settings(model=self.model, compared=OWN if self.compare else (), **more)


@dataclass(frozen=True, slots=True)
class PublishedEnsemble:
    """UPHELD's: its 12 metrics, one row an annotation, untuned; what `--preset paper` fits.

    Args:
        model: linear, svm, forest or tree.
    """

    word: ClassVar = "paper"

    model: str = "forest"

    def settings(self, **more: Any) -> Settings:
        """As UPHELD fits: scikit-learn's regressors as they come, a row an annotation, all four
        compared. The forest is the paper's best on its own data (tables 9, 10).

        Raises:
            ConfigError: there is no such model.
        """
        model = self.model.removeprefix("paper-")
        name = "linear" if model == "linear" else f"paper-{model}"
        if name not in PAPER:
            problem = f"preset paper has no model {self.model!r}; it has linear, svm, forest"
            raise ConfigError(f"{problem} and tree")
        return Settings(model=name, annotations=True, compared=PAPER, **more)


@dataclass(frozen=True, slots=True)
class Settings:
    """How an ensemble is fitted.

    Args:
        model: a learner's name; `auto` is `blend` for one corpus and `robust` for several.
        missing: what becomes of items without one of the metrics.
        annotations: a row is one annotation rather than an item's mean.
        compared: learners that are cross-validated beside the model.
        folds: number of folds of conversations, each held out once.
        confidence: share of items that the prediction intervals should cover.
        seed: of every random choice.
    """

    model: str = AUTO
    missing: Missing = "unscored"
    annotations: bool = False
    compared: tuple[str, ...] = ()
    folds: int = 5
    confidence: float = 0.9
    seed: int = 0

    def __post_init__(self) -> None:
        for name in (*self.compared, *(() if self.model == AUTO else (self.model,))):
            learner_of(name)
        check_word("missing", self.missing, ("unscored", "impute"))
        check_range("folds", self.folds, 2)
        check_range("confidence", self.confidence, 0.5, 0.999)

    def learner(self, standardised: bool) -> str:
        """The learner that is fitted."""
        if self.model != AUTO:
            return self.model
        return "robust" if standardised else "blend"

"""How each model is fitted: one row a learner. scikit-learn is needed here, and nowhere else.

To add a learner, write a function of standardised `Examples` that returns a `Model`, and add its
row to `LEARNERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assize.base.errors import ConfigError, MissingExtra
from assize.reference._ensemble.examples import Examples
from assize.reference._ensemble.models.blend import Blend
from assize.reference._ensemble.models.kernel import Kernel
from assize.reference._ensemble.models.linear import fit_linear, fit_ridge
from assize.reference._ensemble.models.model import Model
from assize.reference._ensemble.models.trees import Trees


@dataclass(frozen=True, slots=True)
class Learner:
    """One way to fit an ensemble.

    Args:
        raw: the target is left on its own scale, as the paper's regressors had it.
    """

    about: str
    fit: Callable[[Examples], Model]
    raw: bool = False
    base: bool = False  # whether the base install fits it, without scikit-learn


def _sklearn(what: str) -> Any:
    try:
        import sklearn.ensemble
        import sklearn.svm
        import sklearn.tree
    except ImportError as error:
        raise MissingExtra(what, extra="train", missing="scikit-learn") from error
    return sklearn


def _ridge(rows: Examples) -> Model:
    return fit_ridge(rows.metrics, rows.target, rows.weights, rows.fold)[0]


def _svm(rows: Examples, **settings: Any) -> Model:
    learner = _sklearn("fitting a support vector machine").svm.SVR(**settings)
    return Kernel.of_sklearn(learner.fit(rows.metrics, rows.target, rows.shares))


def _svm_tuned(rows: Examples) -> Model:
    """Half of scikit-learn's width, which is 1 / M on standardised metrics."""
    return _svm(rows, gamma=0.5 / rows.metrics.shape[1])


def _forest(kind: str, **settings: Any) -> Callable[[Examples], Model]:
    def fit(rows: Examples) -> Model:
        made = getattr(_sklearn("fitting a forest").ensemble, kind)
        learner = made(random_state=rows.seed, **settings).fit(
            rows.metrics, rows.target, rows.shares
        )
        return Trees.of_sklearn(learner.estimators_)

    return fit


def _tree(rows: Examples) -> Model:
    made = _sklearn("fitting a tree").tree.DecisionTreeRegressor
    return Trees.of_sklearn(
        [made(random_state=rows.seed).fit(rows.metrics, rows.target, rows.shares)]
    )


def _blend(*learners: Callable[[Examples], Model]) -> Callable[[Examples], Model]:
    def fit(rows: Examples) -> Model:
        members = tuple(learner(rows) for learner in learners)
        return Blend(members, (1 / len(learners),) * len(learners))

    return fit


_extra_trees = _forest(
    "ExtraTreesRegressor", n_estimators=200, min_samples_leaf=3, max_features=0.33
)
_LARGE_LEAVES: Mapping[str, Any] = {
    "n_estimators": 200,
    "min_samples_leaf": 20,
    "max_features": 0.33,
}

LEARNERS: Mapping[str, Learner] = {
    "blend": Learner(
        "mean of ridge, svm and extra-trees",
        _blend(_ridge, _svm_tuned, _extra_trees),
    ),
    "robust": Learner(
        "mean of two forests with large leaves: for corpora unlike those fitted on",
        _blend(
            _forest("RandomForestRegressor", **_LARGE_LEAVES),
            _forest("ExtraTreesRegressor", **_LARGE_LEAVES),
        ),
    ),
    "ridge": Learner("ridge regression, its penalty chosen by folds", _ridge, base=True),
    "svm": Learner("support vector machine with a Gaussian kernel", _svm_tuned),
    "extra-trees": Learner("200 extremely randomised trees, 3 rows a leaf", _extra_trees),
    "linear": Learner(
        "least squares, as published",
        lambda rows: fit_linear(rows.metrics, rows.target, rows.weights),
        raw=True,
        base=True,
    ),
    "paper-svm": Learner("scikit-learn's SVR as it comes", _svm, raw=True),
    "paper-forest": Learner(
        "scikit-learn's random forest as it comes", _forest("RandomForestRegressor"), raw=True
    ),
    "paper-tree": Learner("scikit-learn's decision tree as it comes", _tree, raw=True),
}
"""By name: what it is, and how it is fitted."""

PAPER = ("linear", "paper-svm", "paper-forest", "paper-tree")


def learner_of(name: str) -> Learner:
    """A row of the table; raises ConfigError for a name that is not in it."""
    if name not in LEARNERS:
        raise ConfigError(f"no model {name!r}; there are {', '.join(LEARNERS)}")
    return LEARNERS[name]


def fit_here(names: Iterable[str], *, instead: str) -> tuple[list[str], str | None]:
    """The learners that can be fitted with what is installed, and a note where that is not all.

    Args:
        instead: what stands in for those that need scikit-learn.
    """
    learners = list(dict.fromkeys(names))
    heavy = [name for name in learners if not LEARNERS[name].base]
    try:
        if heavy:
            _sklearn(", ".join(heavy))
    except MissingExtra as error:
        light = [name for name in learners if name not in heavy]
        return list(dict.fromkeys([*light, instead])), f"{error}; {instead} stands in"
    return learners, None

"""assize: judge multi-turn conversations, and know how far to trust the judgment.

The promised names are listed in `__all__` and imported when first used, so that
`import assize` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from assize.version import __version__

if TYPE_CHECKING:
    from assize.agreement.options import Audit, CloserToGold
    from assize.calibration.fitted import FittedCalibrator, load_calibrator
    from assize.conversation import Continuation, Conversation, Pair, Reference, Turn
    from assize.errors import (
        AssizeError,
        ConfigError,
        DataError,
        Interrupted,
        ModelError,
        Stopped,
    )
    from assize.evaluator import load_evaluator
    from assize.evaluator.export.reward import reward_function
    from assize.formats import Items, open_writer, read, read_judgments, write
    from assize.judging.asking import Asking
    from assize.judging.own.function import judge_function
    from assize.judgment import Judgment, Question, Unscored, Usage
    from assize.judgments import JudgmentTable
    from assize.juries.composition import Cascade, Panel, Reliability
    from assize.pages.plot import plot
    from assize.pages.report import report
    from assize.pages.scores.scoring import summarise_scores
    from assize.reference.metrics.tool_calls import tool_call_metrics
    from assize.stats.statistics import Statistics
    from assize.versions.gate import GateLimits
    from assize.versions.options import OverTime, Regressions
    from assize.webapp.exchange import export_ratings
    from assize.webapp.serve import web
    from assize.workflows.acts import acts, train_tagger
    from assize.workflows.acts_agreement import acts_agreement
    from assize.workflows.acts_study import acts_study
    from assize.workflows.agree import agree
    from assize.workflows.cache import cache_info, clear_cache
    from assize.workflows.calibration.adapt import adapt_calibrator
    from assize.workflows.calibration.audit import audit_calibrator
    from assize.workflows.calibration.compare import compare_systems
    from assize.workflows.calibration.correct import correct_calibrator
    from assize.workflows.calibration.distill import distill_evaluator
    from assize.workflows.calibration.fit import fit_calibrator
    from assize.workflows.calibration.importance import question_importance
    from assize.workflows.calibration.next_ratings import next_ratings
    from assize.workflows.calibration.predict import predict_ratings
    from assize.workflows.calibration.select import select_best
    from assize.workflows.calibration.study import study_calibrators, study_methods
    from assize.workflows.calibration.template import rating_template
    from assize.workflows.check import check
    from assize.workflows.compare import compare_versions
    from assize.workflows.convert import convert
    from assize.workflows.criteria.distill import distill_criteria
    from assize.workflows.criteria.learn import learn_criteria
    from assize.workflows.criteria.score import score_criteria
    from assize.workflows.criteria.select import select_criteria
    from assize.workflows.criteria.study import study_criteria
    from assize.workflows.criteria.watch import watch_criteria
    from assize.workflows.evaluator.adapt import adapt_evaluator
    from assize.workflows.evaluator.card import evaluator_card
    from assize.workflows.evaluator.evaluate import evaluate_evaluator
    from assize.workflows.evaluator.export import export_evaluator
    from assize.workflows.evaluator.study import study_evaluators
    from assize.workflows.evaluator.train import train_evaluator
    from assize.workflows.gate import check_gate, smoke_set
    from assize.workflows.judge import (
        judge,
        list_judges,
        measure_injections,
    )
    from assize.workflows.jury import jury
    from assize.workflows.jury_study import jury_study
    from assize.workflows.labels_needed import labels_needed
    from assize.workflows.load import load
    from assize.workflows.reference.contrast import contrast_sources, study_contrast
    from assize.workflows.reference.data import cut_continuations, verification_set
    from assize.workflows.reference.fit import fit_ensemble
    from assize.workflows.reference.multiplicity import measure_multiplicity
    from assize.workflows.reference.score import (
        explain_reference,
        score_reference,
    )
    from assize.workflows.reference.sheets import read_labels, write_rating_sheet
    from assize.workflows.reference.split import export_completions, split_continuations
    from assize.workflows.reference.study import study_reference
    from assize.workflows.reference.tuning import study_tuning
    from assize.workflows.retrieve import retrieve
    from assize.workflows.rubric import Adaptive, ask_rubric, show_rubric
    from assize.workflows.score import Adapt, Scale, iter_score, score, score_async
    from assize.workflows.simulation.candidates import simulate_candidates
    from assize.workflows.simulation.dialogues import simulate_dialogues
    from assize.workflows.simulation.preferences import (
        simulate_preferences,
    )
    from assize.workflows.simulation.rated import pairs_from_ratings
    from assize.workflows.simulation.scrubbing import scrub, unscrub
    from assize.workflows.simulation.select import select_preferences
    from assize.workflows.simulation.topics import simulate_topics


_HOME = {
    "assize.juries.composition": ("Cascade", "Panel", "Reliability"),
    "assize.versions.gate": ("GateLimits",),
    "assize.versions.options": ("OverTime", "Regressions"),
    "assize.agreement.options": ("Audit", "CloserToGold"),
    "assize.calibration.fitted": ("FittedCalibrator", "load_calibrator"),
    "assize.conversation": ("Continuation", "Conversation", "Pair", "Reference", "Turn"),
    "assize.errors": (
        "AssizeError",
        "ConfigError",
        "DataError",
        "Interrupted",
        "ModelError",
        "Stopped",
    ),
    "assize.evaluator": ("load_evaluator",),
    "assize.evaluator.export.reward": ("reward_function",),
    "assize.formats": ("Items", "open_writer", "read", "read_judgments", "write"),
    "assize.judging.asking": ("Asking",),
    "assize.judging.own.function": ("judge_function",),
    "assize.judgment": ("Judgment", "Question", "Unscored", "Usage"),
    "assize.judgments": ("JudgmentTable",),
    "assize.pages.plot": ("plot",),
    "assize.pages.report": ("report",),
    "assize.pages.scores.scoring": ("summarise_scores",),
    "assize.webapp.exchange": ("export_ratings",),
    "assize.webapp.serve": ("web",),
    "assize.workflows.acts": ("acts", "train_tagger"),
    "assize.workflows.acts_agreement": ("acts_agreement",),
    "assize.workflows.acts_study": ("acts_study",),
    "assize.workflows.agree": ("agree",),
    "assize.workflows.cache": ("cache_info", "clear_cache"),
    "assize.workflows.check": ("check",),
    "assize.workflows.compare": ("compare_versions",),
    "assize.workflows.convert": ("convert",),
    "assize.workflows.simulation.candidates": ("simulate_candidates",),
    "assize.workflows.simulation.dialogues": ("simulate_dialogues",),
    "assize.workflows.simulation.preferences": ("simulate_preferences",),
    "assize.workflows.simulation.rated": ("pairs_from_ratings",),
    "assize.workflows.simulation.scrubbing": ("scrub", "unscrub"),
    "assize.workflows.simulation.select": ("select_preferences",),
    "assize.workflows.simulation.topics": ("simulate_topics",),
    "assize.workflows.criteria.distill": ("distill_criteria",),
    "assize.workflows.criteria.learn": ("learn_criteria",),
    "assize.workflows.criteria.score": ("score_criteria",),
    "assize.workflows.criteria.select": ("select_criteria",),
    "assize.workflows.criteria.study": ("study_criteria",),
    "assize.workflows.criteria.watch": ("watch_criteria",),
    "assize.workflows.evaluator.adapt": ("adapt_evaluator",),
    "assize.workflows.evaluator.card": ("evaluator_card",),
    "assize.workflows.evaluator.evaluate": ("evaluate_evaluator",),
    "assize.workflows.evaluator.export": ("export_evaluator",),
    "assize.workflows.evaluator.study": ("study_evaluators",),
    "assize.workflows.evaluator.train": ("train_evaluator",),
    "assize.workflows.calibration.adapt": ("adapt_calibrator",),
    "assize.workflows.calibration.audit": ("audit_calibrator",),
    "assize.workflows.calibration.compare": ("compare_systems",),
    "assize.workflows.calibration.correct": ("correct_calibrator",),
    "assize.workflows.calibration.distill": ("distill_evaluator",),
    "assize.workflows.calibration.fit": ("fit_calibrator",),
    "assize.workflows.calibration.importance": ("question_importance",),
    "assize.workflows.calibration.next_ratings": ("next_ratings",),
    "assize.workflows.calibration.predict": ("predict_ratings",),
    "assize.workflows.calibration.select": ("select_best",),
    "assize.workflows.calibration.study": ("study_calibrators", "study_methods"),
    "assize.workflows.calibration.template": ("rating_template",),
    "assize.workflows.gate": ("check_gate", "smoke_set"),
    "assize.workflows.judge": (
        "judge",
        "list_judges",
        "measure_injections",
    ),
    "assize.workflows.jury": ("jury",),
    "assize.workflows.jury_study": ("jury_study",),
    "assize.workflows.labels_needed": ("labels_needed",),
    "assize.workflows.load": ("load",),
    "assize.reference.metrics.tool_calls": ("tool_call_metrics",),
    "assize.stats.statistics": ("Statistics",),
    "assize.workflows.reference.contrast": ("contrast_sources", "study_contrast"),
    "assize.workflows.reference.multiplicity": ("measure_multiplicity",),
    "assize.workflows.reference.sheets": ("read_labels", "write_rating_sheet"),
    "assize.workflows.reference.data": ("cut_continuations", "verification_set"),
    "assize.workflows.reference.split": ("export_completions", "split_continuations"),
    "assize.workflows.reference.tuning": ("study_tuning",),
    "assize.workflows.reference.fit": ("fit_ensemble",),
    "assize.workflows.reference.study": ("study_reference",),
    "assize.workflows.reference.score": (
        "explain_reference",
        "score_reference",
    ),
    "assize.workflows.retrieve": ("retrieve",),
    "assize.workflows.rubric": ("Adaptive", "ask_rubric", "show_rubric"),
    "assize.workflows.score": ("Adapt", "Scale", "iter_score", "score", "score_async"),
}
_MODULES = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Adapt",
    "Adaptive",
    "Asking",
    "AssizeError",
    "Audit",
    "Cascade",
    "CloserToGold",
    "ConfigError",
    "Continuation",
    "Conversation",
    "DataError",
    "FittedCalibrator",
    "GateLimits",
    "Interrupted",
    "Items",
    "Judgment",
    "JudgmentTable",
    "ModelError",
    "OverTime",
    "Pair",
    "Panel",
    "Question",
    "Reference",
    "Regressions",
    "Reliability",
    "Scale",
    "Statistics",
    "Stopped",
    "Turn",
    "Unscored",
    "Usage",
    "__version__",
    "acts",
    "acts_agreement",
    "acts_study",
    "adapt_calibrator",
    "adapt_evaluator",
    "agree",
    "ask_rubric",
    "audit_calibrator",
    "cache_info",
    "check",
    "check_gate",
    "clear_cache",
    "compare_systems",
    "compare_versions",
    "contrast_sources",
    "convert",
    "correct_calibrator",
    "cut_continuations",
    "distill_criteria",
    "distill_evaluator",
    "evaluate_evaluator",
    "evaluator_card",
    "explain_reference",
    "export_completions",
    "export_evaluator",
    "export_ratings",
    "fit_calibrator",
    "fit_ensemble",
    "iter_score",
    "judge",
    "judge_function",
    "jury",
    "jury_study",
    "labels_needed",
    "learn_criteria",
    "list_judges",
    "load",
    "load_calibrator",
    "load_evaluator",
    "measure_injections",
    "measure_multiplicity",
    "next_ratings",
    "open_writer",
    "pairs_from_ratings",
    "plot",
    "predict_ratings",
    "question_importance",
    "rating_template",
    "read",
    "read_judgments",
    "read_labels",
    "report",
    "retrieve",
    "reward_function",
    "score",
    "score_async",
    "score_criteria",
    "score_reference",
    "scrub",
    "select_best",
    "select_criteria",
    "select_preferences",
    "show_rubric",
    "simulate_candidates",
    "simulate_dialogues",
    "simulate_preferences",
    "simulate_topics",
    "smoke_set",
    "split_continuations",
    "study_calibrators",
    "study_contrast",
    "study_criteria",
    "study_evaluators",
    "study_methods",
    "study_reference",
    "study_tuning",
    "summarise_scores",
    "tool_call_metrics",
    "train_evaluator",
    "train_tagger",
    "unscrub",
    "verification_set",
    "watch_criteria",
    "web",
    "write",
    "write_rating_sheet",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'assize' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return __all__

"""Dialogue acts and maxims: taxonomies, the judges that label them, reading recorded labels,
what they show, and a local tagger (AMULET, arXiv 2505.20451).

    from assize.dialogue_acts import load_taxonomy, study_all

    for study in study_all(table, items, load_taxonomy()):
        print(study.name, study.to_json()["responses"])

Names are imported when first used, for a judge needs neither the statistics nor the tagger.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assize.dialogue_acts.annotations import Annotation, acts_in
    from assize.dialogue_acts.labels import Act
    from assize.dialogue_acts.maxims import MAXIMS
    from assize.dialogue_acts.recorded import Reading, read_recorded, spoken
    from assize.dialogue_acts.study import ActStudy, study_all
    from assize.dialogue_acts.tagger import Tagger, load_tagger
    from assize.dialogue_acts.taxonomy import Taxonomy, load_taxonomy

_HOME = {
    "annotations": ("Annotation", "acts_in"),
    "labels": ("Act",),
    "maxims": ("MAXIMS",),
    "recorded": ("Reading", "read_recorded", "spoken"),
    "study": ("ActStudy", "study_all"),
    "tagger": ("Tagger", "load_tagger"),
    "taxonomy": ("Taxonomy", "load_taxonomy"),
}
_MODULES = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "MAXIMS",
    "Act",
    "ActStudy",
    "Annotation",
    "Reading",
    "Tagger",
    "Taxonomy",
    "acts_in",
    "load_tagger",
    "load_taxonomy",
    "read_recorded",
    "spoken",
    "study_all",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'assize.dialogue_acts' has no attribute {name!r}")
    return getattr(import_module(f"assize.dialogue_acts.{_MODULES[name]}"), name)

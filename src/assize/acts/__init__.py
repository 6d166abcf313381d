"""Dialogue acts and maxims: taxonomies, the judges that label them, reading recorded labels,
what they show, and a local tagger (AMULET, arXiv 2505.20451).

    from assize.acts import load_taxonomy, study_all

    for study in study_all(table, items, load_taxonomy()):
        print(study.name, study.to_json()["responses"])

Names are imported when first used, for a judge needs neither the statistics nor the tagger.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)

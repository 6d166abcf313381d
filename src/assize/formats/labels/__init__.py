"""Labels of conversations, good or bad, from what teams have: thumbs, ratings, tickets, flags.

spec ──► rule ─┐
               ├──► labels
items, a file ─┘
"""

from assize.formats.labels.labelling import ItemLabels, labellers_of, labels_of
from assize.formats.labels.labels import Labels
from assize.formats.labels.rule import Rule, parse_rule

__all__ = ["ItemLabels", "Labels", "Rule", "labellers_of", "labels_of", "parse_rule"]

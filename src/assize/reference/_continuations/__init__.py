"""Continuations: cut out of conversations, chosen by people, split, described.

A continuation whose `candidate` is empty has none yet: every judge leaves it unscored.
"""

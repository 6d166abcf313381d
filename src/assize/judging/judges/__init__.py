"""Judges, one file each; `judging/table.py` has their rows."""

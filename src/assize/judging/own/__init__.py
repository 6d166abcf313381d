"""Judges of one's own: a Python function, a prompt file, and how both are found when typed."""

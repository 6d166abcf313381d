"""Predictions as judgments, and what is decided by them: pairs, candidates, systems."""

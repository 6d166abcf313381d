"""Criteria scored by a small evaluator in a model's place, and what that loses.

evaluations ──► an evaluator with a head a criterion ──► a line a head ──► NetSAT ──► a window
"""

"""Evaluators that others have published and trained, as judges: their formats, and their heads.

Those that write text (`prometheus`, `prometheus2`, `autoj`) are prompts whose answers have the
form that the evaluator was trained to give. Those that write numbers (`armorm`, `samer`) are
networks whose weights the user supplies.
"""

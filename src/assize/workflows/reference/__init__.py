"""Comparing with what a person said: metrics, judges, ensembles, studies."""

"""Criteria: what makes conversations good or bad, learnt, selected and scored: a file a command."""

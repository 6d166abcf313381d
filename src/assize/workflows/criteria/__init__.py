"""Criteria: what makes conversations good or bad, learnt, chosen, scored and studied."""

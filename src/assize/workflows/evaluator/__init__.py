"""Evaluators of one's own: trained, measured, and their cards: a file a command."""

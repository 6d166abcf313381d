"""Criteria: learnt, scored, selected and studied; a file a command."""

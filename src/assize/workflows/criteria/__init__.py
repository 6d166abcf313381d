"""Criteria that tell good conversations from bad ones: a file a command."""

"""Calibrators from whatever holds answers, ratings and conversations: a file a command."""

"""A view of judgments as arrays on disk: made once, opened in milliseconds."""

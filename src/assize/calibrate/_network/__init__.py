"""The published network: many at once, its training, its search, and what was added to it."""

"""Doors of the root that belong to no method: check, convert, load, plot, report."""

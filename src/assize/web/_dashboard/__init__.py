"""A dashboard over any judgments: how answers are spread, where, since when, and by whom."""

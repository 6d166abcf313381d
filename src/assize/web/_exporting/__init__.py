"""Ratings out of the database: judgments, records, history."""

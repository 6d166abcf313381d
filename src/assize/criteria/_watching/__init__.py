"""How quality drifts: means by period, dates at which they changed, the latest period.

judgments, times ──► a value a conversation and question ──► periods, change-points, latest
"""

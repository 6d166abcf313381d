"""How well criteria of several methods, chosen by several policies, label new conversations.

pools, labels ──► halves ──► selection on one ──► measures on the other ──► tables
"""

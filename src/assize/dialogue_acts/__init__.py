"""Dialogue acts and maxims: their taxonomy, the judges that label them, reading recorded
labels, and what can be learnt from them (AMULET, arXiv 2505.20451).
"""

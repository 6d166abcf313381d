"""Criteria: sentences that tell good conversations from bad ones, learnt from labelled examples.

Source: Biyani et al., "RUBICON: Rubric-Based Evaluation of Domain-Specific Human AI
Conversations", AIware 2024, and its baseline SPUR, Lin et al., arXiv 2403.12388.
"""

"""Multiplicity: how often two samples of one model say the same, by kind of prompt.

Where they rarely do, many continuations are valid, and comparing with one reference is harsh.

Source: UPHELD, section 3.4, table 2.
"""

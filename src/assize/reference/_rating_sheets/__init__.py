"""Spreadsheets that people rate in: three sheets, and a key that stays with whoever sent them.

Source: UPHELD, appendix C.1 (instructions, annotated examples, a table), and appendix G for what
is asked of two sources.
"""

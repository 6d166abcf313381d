"""Two sources compared where people's scores of them differ: how they sound, and what is different.

Source: UPHELD, appendix G and figure 5.
"""

"""Groups of items and raters: audits by group, and corrections that hold in every group."""

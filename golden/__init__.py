"""Golden figures: what the product computes today, held against the commit named in `BASE`.

`python -m golden` fills one flat table of figures twice, in a worktree of BASE and in this
checkout, and lists what differs. `readers/` is all that a change may edit to follow new names.
"""

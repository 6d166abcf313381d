"""What the commands do, as functions: from whatever holds items or judgments to a result.

Each function has the name of its command, stands in a file of that name, and is promised as
`assize.NAME`. It reads what it is given (`reading`), calls the methods, and returns a result
that shows itself (`assize.results.Result`) or a table of judgments. What there is to say on the
way goes to the log `assize`.
"""

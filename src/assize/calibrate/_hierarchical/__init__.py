"""The default calibrator: a hierarchical cumulative probit on log-odds."""

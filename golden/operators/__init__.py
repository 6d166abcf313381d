"""Operator mutants drawn by seed over the packages that calculate: `make operators SEED=1`."""

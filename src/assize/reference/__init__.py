"""UPHELD: how close a candidate next turn is to what a person said there."""

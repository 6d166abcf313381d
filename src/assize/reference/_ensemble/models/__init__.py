"""The models of an ensemble: how each is fitted, what is kept of it, and what it predicts with."""

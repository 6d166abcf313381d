"""Training a network from several judges' votes, whose reliabilities are learnt with it."""

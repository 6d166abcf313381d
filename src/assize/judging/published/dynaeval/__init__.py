"""`dynaeval`: how coherent a dialogue is, by a graph network over its utterances."""

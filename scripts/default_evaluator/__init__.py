"""How the shipped evaluator, assize-small-1, is made and measured."""

"""How the shipped evaluator, assize-small-2, is made and measured."""

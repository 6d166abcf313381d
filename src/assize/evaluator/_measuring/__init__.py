"""How good evaluators and judges are: their figures against gold, side by side."""

"""An evaluator elsewhere: a model of transformers, a reward function of TRL, a page of the hub."""

"""Language models as judges of continuations, against what a person said or by themselves."""

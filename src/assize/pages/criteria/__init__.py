"""The pages of criteria: a pool that was learnt, scores by a set, a selection, a study."""

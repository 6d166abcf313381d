"""An evaluator fitted to a few labels of one's own, and whether that helped."""

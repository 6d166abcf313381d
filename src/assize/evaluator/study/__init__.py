"""What an evaluator learns from one judge, from several, and from other juries."""

"""What one rater sees: their tasks, the item before them, what they said, their past answers."""
